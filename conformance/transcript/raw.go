package transcript

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
)

// A Raw is a body that need not be JSON.
type Raw struct{ pieces []rawPiece }

type rawPiece struct {
	bytes []byte
	times int
	name  string      // a capture
	meta  *match.Meta // the metadata of a request
}

// maxRepeat bounds what {{repeat}} makes, in bytes.
const maxRepeat = 64 << 20

func parseRaw(s string) (*Raw, error) {
	r := &Raw{}
	for {
		i := strings.Index(s, "{{")
		j := strings.Index(s[max(i, 0):], "}}")
		if i < 0 || j < 0 {
			r.pieces = append(r.pieces, rawPiece{bytes: []byte(s), times: 1})
			return r, nil
		}
		r.pieces = append(r.pieces, rawPiece{bytes: []byte(s[:i]), times: 1})
		p, err := parseRawHole(strings.TrimSpace(s[i+2 : i+j]))
		if err != nil {
			return nil, err
		}
		r.pieces = append(r.pieces, p)
		s = s[i+j+2:]
	}
}

func parseRawHole(inner string) (rawPiece, error) {
	word, rest, _ := strings.Cut(inner, " ")
	switch {
	case strings.HasPrefix(word, "$") && rest == "":
		return rawPiece{name: word[1:]}, nil
	case word == "hex":
		b, err := hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
		if err != nil {
			return rawPiece{}, fmt.Errorf("hole {{%s}}: write pairs of hexadecimal digits", inner)
		}
		return rawPiece{bytes: b, times: 1}, nil
	case word == "repeat":
		count, text, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || text == "" || n > maxRepeat/len(text) {
			return rawPiece{}, fmt.Errorf("hole {{%s}}: write {{repeat 1000 text}}, %d bytes at most", inner, maxRepeat)
		}
		return rawPiece{bytes: []byte(text), times: n}, nil
	case word == "meta":
		pattern, err := match.Compile([]byte(strconv.Quote("{{" + inner + "}}")))
		if err != nil {
			return rawPiece{}, err
		}
		m := pattern.Metas()[0]
		return rawPiece{meta: &m}, nil
	}
	return rawPiece{}, fmt.Errorf("unknown hole {{%s}} in a raw body: write hex, repeat, meta or $name", inner)
}

// Expand returns the bytes to send.
func (r *Raw) Expand(env *match.Env) ([]byte, error) {
	var out []byte
	for _, p := range r.pieces {
		switch {
		case p.name != "":
			v := env.Vars[p.name]
			if v == nil {
				return nil, fmt.Errorf("{{$%s}}: %w", p.name, match.ErrUnknown)
			}
			if v.Kind == '"' {
				out = append(out, v.Text...)
			} else {
				out = v.Append(out)
			}
		case p.meta != nil:
			if env.Meta != nil {
				out = env.Meta(*p.meta).Append(out)
			}
		default:
			for range p.times {
				out = append(out, p.bytes...)
			}
		}
	}
	return out, nil
}

func (r *Raw) names() []string {
	var out []string
	for _, p := range r.pieces {
		if p.name != "" {
			out = append(out, p.name)
		}
	}
	return out
}
