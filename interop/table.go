package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// row is what one client did over one transport at one revision. The suites write a row as a line of JSON once all of it
// has worked.
type row struct {
	Client    string   `json:"client"`
	Transport string   `json:"transport"`
	Revision  string   `json:"revision"`
	Did       []string `json:"did"`
	Note      string   `json:"note"`
}

// readRows reads the report that the suites wrote, and sorts it as the table is read.
func readRows(path string) ([]row, error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errors.New("no client did anything")
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var rows []row
	for decoder := jsontext.NewDecoder(file); ; {
		var r row
		err := json.UnmarshalDecode(decoder, &r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the report: %w", err)
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(b.Revision, a.Revision), cmp.Compare(a.Transport, b.Transport))
	})
	return rows, nil
}

// printTable prints the rows, and how many of them are sessions that took place.
func printTable(w io.Writer, rows []row) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "client\trevision\ttransport\tdid")
	sessions := 0
	for _, r := range rows {
		did := strings.Join(r.Did, ", ")
		switch {
		case len(r.Did) == 0:
			did = "– (" + r.Note + ")"
		case r.Note != "":
			did += " (" + r.Note + ")"
		}
		if len(r.Did) > 0 {
			sessions++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", r.Client, r.Revision, r.Transport, did)
	}
	_ = table.Flush()
	fmt.Fprintf(w, "\n%d combinations of client, revision and transport\n", sessions)
}
