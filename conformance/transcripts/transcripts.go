// Package transcripts holds the golden transcripts, one folder an area. Package transcript describes their format.
package transcripts

import (
	"embed"
	"errors"
	"io/fs"
	"sync"

	"github.com/parley-mcp/parley/conformance/transcript"
)

// Files are the transcripts as text.
//
//go:embed */*.txtar
var Files embed.FS

// All returns every transcript, by name. They are parsed once and must not be changed.
var All = sync.OnceValues(func() ([]*transcript.Transcript, error) {
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
