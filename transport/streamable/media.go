package streamable

import (
	"mime"
	"strconv"
	"strings"
)

const (
	typeJSON = "application/json"
	typeSSE  = "text/event-stream"
)

// isJSON reports whether a Content-Type is application/json, by its parsed type (RFC 9110 section 8.3.1), in UTF-8.
func isJSON(values []string) bool {
	if len(values) != 1 {
		return false
	}
	if values[0] == typeJSON {
		return true
	}
	t, params, err := mime.ParseMediaType(values[0])
	charset, named := params["charset"]
	return err == nil && t == typeJSON && (!named || strings.EqualFold(charset, "utf-8"))
}

// Accepted is what a client reads.
type accepted struct{ json, sse bool }

// parseAccept reads Accept fields by their parsed types and weights (RFC 9110 section 12.5.1). None at all is everything.
func parseAccept(values []string) accepted {
	if len(values) == 0 {
		return accepted{true, true}
	}
	if len(values) == 1 && values[0] == typeJSON+", "+typeSSE {
		return accepted{true, true}
	}
	var json, sse best
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			t, params, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			q := 1.0
			if s, ok := params["q"]; ok {
				if q, err = strconv.ParseFloat(s, 64); err != nil {
					q = 0
				}
			}
			json.see(t, typeJSON, q)
			sse.see(t, typeSSE, q)
		}
	}
	return accepted{json.q > 0, sse.q > 0}
}

// best is the weight of the most specific range that covers a type.
type best struct {
	specific int
	q        float64
}

func (b *best) see(range_, t string, q float64) {
	specific := 0
	switch main, _, _ := strings.Cut(t, "/"); range_ {
	case t:
		specific = 3
	case main + "/*":
		specific = 2
	case "*/*":
		specific = 1
	}
	if specific > b.specific {
		*b = best{specific, q}
	}
}
