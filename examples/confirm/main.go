// Command confirm has a tool that asks the user before it acts. Where the user cannot be asked, because the client or its
// revision lacks that, the tool says what to do instead.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"sync"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/server"
	"github.com/parley-mcp/parley/transport/streamable"
)

// A drawer holds files by name.
type drawer struct{ files sync.Map }

type deletion struct {
	Name      string `json:"name" jsonschema:"the file to delete"`
	Confirmed bool   `json:"confirmed,omitempty" jsonschema:"true if the user has agreed already"`
}

// remove runs again from the top for each answer at revisions without requests of the server: all that is before the
// question only looks.
func (d *drawer) remove(ctx context.Context, c *server.Call, in deletion) (string, error) {
	if _, there := d.files.Load(in.Name); !there {
		return "", fmt.Errorf("there is no file %q", in.Name)
	}
	if !in.Confirmed {
		// A form without fields: to accept it is to agree.
		err := c.Elicit(ctx, "confirm", "Delete "+in.Name+"?", &struct{}{})
		switch {
		case server.CannotAsk(err):
			return "", errors.New("the user cannot be asked from here: ask yourself, and call again with confirmed set to true")
		case errors.Is(err, server.ErrDeclined), errors.Is(err, server.ErrCancelled):
			return "Nothing was deleted.", nil
		case err != nil:
			return "", err
		}
	}
	d.files.Delete(in.Name)
	return "Deleted " + in.Name + ".", nil
}

func newHandler(d *drawer) (*streamable.Handler, error) {
	s, err := server.New(server.Options{Info: protocol.Implementation{Name: "confirm", Version: "1.0.0"}})
	if err != nil {
		return nil, err
	}
	err = server.AddTool(s, server.Tool{Name: "delete_file", Description: "Deletes a file, if the user agrees."}, d.remove)
	if err != nil {
		return nil, err
	}
	return streamable.New(s, streamable.Options{})
}

func main() {
	var d drawer
	d.files.Store("notes.txt", "Remember the milk.")
	h, err := newHandler(&d)
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("/mcp", h)
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
}
