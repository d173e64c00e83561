package requirements

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/parley-mcp/parley/conformance/internal/yamlfile"
)

//go:embed *.yaml
var files embed.FS

// Load reads the embedded manifest, once. The error lists every mistake in it with file and line.
func Load() (*Manifest, error) { return loadOnce() }

var loadOnce = sync.OnceValues(func() (*Manifest, error) { return load(files) })

const (
	indexFile  = "index.yaml"
	pointsFile = "open-points.yaml"
)

// located is a value with the line on which it stands.
type located[T any] = yamlfile.Located[T]

// The files, as they are written.
type (
	yamlIndex struct {
		Revisions []struct{ Revision, Schema string }
		Areas     []struct{ Area, Title string }
	}
	yamlEntry struct {
		ID         located[string]
		Text       string
		Party      located[Party]
		Observable located[Observable]
		When       string
		Check      string
		Supersedes []located[string]
		Revisions  map[string]located[yamlStatement]
	}
	yamlStatement struct {
		Level Level
		Basis Basis
		Party Party
		At    []string
	}
	yamlPoint struct {
		ID           located[string]
		Topic        string
		Revisions    []located[string]
		Unclear      string
		Reading      string
		Requirements []located[string]
	}
)

// A loader gathers the manifest and the mistakes in it.
type loader struct {
	fsys     fs.FS
	manifest *Manifest
	schemas  map[string]string // of each revision
	mistakes []error
	// supersedes are checked when all ids are known.
	supersedes []func()
}

func (l *loader) mistake(file string, line int, format string, args ...any) {
	l.mistakes = append(l.mistakes, fmt.Errorf("requirements/%s:%d: %s", file, line, fmt.Sprintf(format, args...)))
}

func load(fsys fs.FS) (*Manifest, error) {
	l := &loader{fsys: fsys, manifest: &Manifest{byID: map[string]*Entry{}}, schemas: map[string]string{}}
	l.index()
	l.areas()
	for _, check := range l.supersedes {
		check()
	}
	l.points()
	l.strays()
	if len(l.mistakes) > 0 {
		return nil, errors.Join(l.mistakes...)
	}
	return l.manifest, nil
}

// read decodes one file into value; unknown and duplicate keys are mistakes.
func (l *loader) read(file string, value any) {
	text, err := fs.ReadFile(l.fsys, file)
	if err != nil {
		l.mistake(file, 1, "%s", err)
	} else if err := yamlfile.Decode("requirements/"+file, text, value); err != nil {
		l.mistakes = append(l.mistakes, err)
	}
}

func (l *loader) index() {
	var index yamlIndex
	l.read(indexFile, &index)
	for _, r := range index.Revisions {
		l.manifest.revisions = append(l.manifest.revisions, r.Revision)
		l.schemas[r.Revision] = r.Schema
	}
	for _, a := range index.Areas {
		l.manifest.areas = append(l.manifest.areas, Area{a.Area, a.Title})
	}
}

// strays finds files that the index forgets.
func (l *loader) strays() {
	found, _ := fs.Glob(l.fsys, "*.yaml")
	for _, file := range found {
		area := strings.TrimSuffix(file, ".yaml")
		listed := slices.ContainsFunc(l.manifest.areas, func(a Area) bool { return a.Name == area })
		if !listed && file != indexFile && file != pointsFile {
			l.mistake(file, 1, "is not an area of %s: list it there or delete it", indexFile)
		}
	}
}

// areas reads the files of all areas side by side and takes over their entries in order.
func (l *loader) areas() {
	entries := make([][]yamlEntry, len(l.manifest.areas))
	readers := make([]loader, len(l.manifest.areas))
	var group sync.WaitGroup
	for i, area := range l.manifest.areas {
		readers[i].fsys = l.fsys
		group.Go(func() { readers[i].read(area.Name+".yaml", &entries[i]) })
	}
	group.Wait()
	for i, area := range l.manifest.areas {
		l.mistakes = append(l.mistakes, readers[i].mistakes...)
		for _, y := range entries[i] {
			l.entry(area.Name+".yaml", area.Name, y)
		}
	}
}
