package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// A Matrix says what each requirement, or each transcript, came to at each revision over each transport.
type Matrix struct {
	// Columns: the newest revision first.
	Columns []Column
	// Rows are sorted by area, then by id.
	Rows []Row
}

// A Row is one requirement or one transcript.
type Row struct {
	// ID is the requirement's id or the transcript's name.
	ID   string
	Area string
	// Story is the first sentence of a transcript; empty for a requirement.
	Story string
	// Cells has one cell for each column of the matrix.
	Cells []Cell
}

// A Cell is what a row came to in one column.
type Cell struct {
	// Verdict is the worst of what took part; empty if nothing did.
	Verdict Verdict
	// Known: known-failure patterns cover everything that made the verdict what it is.
	Known bool
}

// RequirementMatrix gives each requirement that a step names the worst verdict of those steps; see Worst.
func RequirementMatrix(r *Report) Matrix {
	b := newMatrixBuilder(r)
	for i := range r.Results {
		res := &r.Results[i]
		for _, step := range res.Steps {
			for _, id := range step.Requirements {
				b.add(Row{ID: id, Area: requirementArea(id)}, res.column(), step.Verdict, res.known())
			}
		}
	}
	return b.matrix()
}

// TranscriptMatrix gives each transcript the verdict of its results.
func TranscriptMatrix(r *Report) Matrix {
	b := newMatrixBuilder(r)
	for i := range r.Results {
		res := &r.Results[i]
		b.add(Row{ID: res.Transcript, Area: res.Area, Story: res.Story}, res.column(), res.Verdict, res.known())
	}
	return b.matrix()
}

// requirementArea is the part of an id that groups it with its like: "tools" of tools.list, "transport.http.headers" of
// transport.http.headers.mirrored.
func requirementArea(id string) string {
	if strings.HasPrefix(id, "transport.") {
		return id[:strings.LastIndexByte(id, '.')]
	}
	area, _, _ := strings.Cut(id, ".")
	return area
}

type matrixBuilder struct {
	columns []Column
	index   map[Column]int
	rows    map[string]*Row
}

func newMatrixBuilder(r *Report) *matrixBuilder {
	b := &matrixBuilder{index: map[Column]int{}, rows: map[string]*Row{}}
	for i := range r.Results {
		b.index[r.Results[i].column()] = 0
	}
	b.columns = slices.SortedFunc(maps.Keys(b.index), compareColumns)
	for i, column := range b.columns {
		b.index[column] = i
	}
	return b
}

func (b *matrixBuilder) add(row Row, column Column, v Verdict, known bool) {
	have := b.rows[row.ID]
	if have == nil {
		have = &row
		have.Cells = make([]Cell, len(b.columns))
		b.rows[row.ID] = have
	}
	known = known && v != Pass
	cell := &have.Cells[b.index[column]]
	switch {
	case cell.Verdict == "" || worse(v, cell.Verdict):
		*cell = Cell{v, known}
	case cell.Verdict == v:
		cell.Known = cell.Known && known
	}
}

func (b *matrixBuilder) matrix() Matrix {
	m := Matrix{Columns: b.columns}
	for _, row := range b.rows {
		m.Rows = append(m.Rows, *row)
	}
	slices.SortFunc(m.Rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Area, b.Area), cmp.Compare(a.ID, b.ID))
	})
	return m
}
