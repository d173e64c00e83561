package transcript

import (
	"bytes"

	"github.com/parley-mcp/parley/conformance/match"
)

// Rewrite returns the text of the transcript in which the steps of the given numbers accept the given messages. Holes stay, and
// so does every other byte: what a step says of HTTP above all.
func (t *Transcript) Rewrite(came map[int]*match.Value) []byte {
	var out bytes.Buffer
	from := 0
	for i, s := range t.Steps {
		v := came[i]
		if v == nil || s.Pattern == nil {
			continue
		}
		out.Write(t.Source[from:s.BodyStart])
		out.WriteString(match.Format(s.Pattern.Update(v)))
		out.WriteByte('\n')
		from = s.BodyEnd
	}
	out.Write(t.Source[from:])
	return out.Bytes()
}
