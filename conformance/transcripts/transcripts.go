// Package transcripts holds the golden transcripts, one folder an area. Package transcript describes their format.
package transcripts

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/parley-mcp/parley/conformance/transcript"
)

// Files are the transcripts as text.
//
//go:embed */*.txtar
var Files embed.FS

// All returns every transcript that judges servers, by name. They are parsed once and must not be changed.
func All() ([]*transcript.Transcript, error) { return of(false) }

// Clients returns every transcript that judges clients, by name. They are parsed once and must not be changed.
func Clients() ([]*transcript.Transcript, error) { return of(true) }

func of(clients bool) ([]*transcript.Transcript, error) {
	all, err := parsed()
	return slices.DeleteFunc(slices.Clone(all), func(t *transcript.Transcript) bool { return (t.Client != nil) != clients }), err
}

var parsed = sync.OnceValues(func() ([]*transcript.Transcript, error) {
	names, err := fs.Glob(Files, "*/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []*transcript.Transcript
	var errs []error
	for _, name := range names {
		source, err := Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		t, err := transcript.Parse(name, source)
		all, errs = append(all, t), append(errs, err)
	}
	return all, errors.Join(errs...)
})
