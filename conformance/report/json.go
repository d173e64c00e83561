package report

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON writes the report for machines, in the layout of docs/report-format.md. The text is plain enough to print: what
// visible would spell out is written as a JSON escape, and reads back as it was; only bytes that are not UTF-8, which
// JSON cannot hold, become ‹0xFF›.
func JSON(w io.Writer, r *Report, _ Options) error {
	text, err := json.Marshal(r, json.Deterministic(true), jsontext.WithIndent("  "),
		json.WithMarshalers(json.MarshalToFunc(func(enc *jsontext.Encoder, s string) error {
			return enc.WriteToken(jsontext.String(validUTF8(s)))
		})))
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err = w.Write(append(escapeHidden(text), '\n'))
	return err
}

// escapeHidden writes the characters that act or hide as JSON escapes. In JSON they can only stand within strings.
func escapeHidden(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if hidden(r) {
			out = appendEscape(out, r)
		} else {
			out = append(out, text[:size]...)
		}
		text = text[size:]
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}

// Read reads a report that JSON wrote. Members that it does not know are passed over, since a later tool of the same
// Format may add some; another Format is an error.
func Read(text []byte) (*Report, error) {
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("this is not a report in JSON: %w", err)
	}
	if r.Format != Format {
		return nil, fmt.Errorf("the report has format %d and this tool reads format %d: write it again with this tool", r.Format, Format)
	}
	for _, res := range r.Results {
		verdicts := []Verdict{res.Verdict}
		for _, step := range res.Steps {
			verdicts = append(verdicts, step.Verdict)
		}
		for _, v := range verdicts {
			if !slices.Contains(Verdicts, v) {
				return nil, fmt.Errorf("%q of %s is no verdict: use one of %q", v, res.Transcript, Verdicts)
			}
		}
	}
	return &r, nil
}
