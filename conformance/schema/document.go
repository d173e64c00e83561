package schema

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

//go:embed *.json
var files embed.FS

// A document is one schema file.
type document struct {
	Schema      string           `json:"$schema"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Revision    string           `json:"revision"`
	Batch       bool             `json:"batch"` // a message may be an array of messages
	Messages    map[role]traffic `json:"messages"`
	Errors      map[string]*name `json:"errors"` // definitions of error objects, by code
	Defs        map[string]*node `json:"$defs"`

	raw []byte
}

// name is the name of a definition; node is what it names.
type name struct {
	Name string
	node *node
}

func (n *name) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &n.Name) }

// A role is a side of the conversation.
type role string

const (
	client role = "client"
	server role = "server"
)

func (r role) peer() role {
	if r == client {
		return server
	}
	return client
}

// traffic is what one side sends, by method.
type traffic struct {
	Requests      map[string]message `json:"requests"`
	Notifications map[string]message `json:"notifications"`
}

// message is a row of the table of messages.
type message struct {
	Params         *name   `json:"params"`
	ParamsOptional bool    `json:"paramsOptional"`
	Results        []*name `json:"results"`
}

// lookup finds a row whichever of the two tables it is in.
func (t traffic) lookup(method string) (message, bool) {
	if m, ok := t.Requests[method]; ok {
		return m, true
	}
	m, ok := t.Notifications[method]
	return m, ok
}

// documents reads every schema file, oldest revision first.
var documents = sync.OnceValues(func() ([]*document, error) {
	paths, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	all := make([]*document, 0, len(paths))
	for _, path := range paths {
		raw, err := files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		d, err := parse(raw)
		if err != nil {
			return nil, fmt.Errorf("schema/%s: %w", path, err)
		}
		if d.Revision+".json" != path {
			return nil, fmt.Errorf("schema/%s: describes revision %q; name the file after its revision", path, d.Revision)
		}
		all = append(all, d)
	}
	return all, nil
})

func parse(raw []byte) (*document, error) {
	d := &document{raw: raw}
	if err := json.Unmarshal(raw, d, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	for _, defName := range slices.Sorted(maps.Keys(d.Defs)) {
		if err := d.Defs[defName].link(d.Defs); err != nil {
			return nil, fmt.Errorf("definition %s: %w", defName, err)
		}
	}
	for _, def := range d.Defs {
		def.merge()
	}
	for _, n := range d.names() {
		if n.node = d.Defs[n.Name]; n.node == nil {
			return nil, fmt.Errorf("the tables name %q, which is not defined", n.Name)
		}
	}
	return d, nil
}

// names gives every name in the tables of messages and errors.
func (d *document) names() []*name {
	all := slices.Collect(maps.Values(d.Errors))
	for _, t := range d.Messages {
		for _, table := range []map[string]message{t.Requests, t.Notifications} {
			for _, m := range table {
				all = append(append(all, m.Params), m.Results...)
			}
		}
	}
	return all
}

// For gives the schema of a revision. The error names the revisions there are.
func For(revision string) (*Schema, error) {
	all, err := schemas()
	if err != nil {
		return nil, err
	}
	if s, ok := all[revision]; ok {
		return s, nil
	}
	return nil, fmt.Errorf("no schema for revision %q: there are %s", revision, strings.Join(Revisions(), ", "))
}

// Revisions lists the revisions that have a schema, oldest first. It is empty if the schemas cannot be read.
func Revisions() []string {
	all, _ := documents()
	revisions := make([]string, len(all))
	for i, d := range all {
		revisions[i] = d.Revision
	}
	return revisions
}

var schemas = sync.OnceValues(func() (map[string]*Schema, error) {
	all, err := documents()
	if err != nil {
		return nil, err
	}
	byRevision := make(map[string]*Schema, len(all))
	for i, d := range all {
		others := slices.Delete(slices.Clone(all), i, i+1)
		validators, err := compile(d)
		if err != nil {
			return nil, fmt.Errorf("schema/%s.json: %w", d.Revision, err)
		}
		byRevision[d.Revision] = &Schema{document: d, others: others, validators: validators}
	}
	return byRevision, nil
})
