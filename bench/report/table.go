package report

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/suite"
)

// Table writes the table of some records in Markdown, which is as well read in a terminal: each contender as a multiple of
// the floor, or in figures where the row says of what, and Parley beside its goal. Rows that nobody has a value in are
// left out.
func Table(w io.Writer, records []suite.Record) error {
	rs := collect(records)
	header := []string{"", "lane"}
	for _, c := range contender.All() {
		header = append(header, c.Name)
		if c.Name == contender.Parley {
			header = append(header, "goal", "")
		}
	}
	lines := [][]string{header}
	met, goals := 0, 0
	for _, r := range rows(rs) {
		line, verdict, some := r.cells()
		if !some {
			continue
		}
		lines = append(lines, line)
		if verdict != "" {
			goals++
		}
		if verdict == "met" {
			met++
		}
	}
	if err := markdown(w, lines, 2); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nGoals met: %d of %d. %s\n", met, goals, summary(records))
	return err
}

// cells returns the cells of a row; some says whether anybody has a value.
func (r row) cells() (line []string, verdict string, some bool) {
	line = []string{r.what, r.lane}
	for _, c := range contender.All() {
		v := r.of(c.Name)
		some = some || !math.IsNaN(v)
		line = append(line, r.show(v))
		if c.Name == contender.Parley {
			verdict = r.verdict(v)
			line = append(line, r.bound(), verdict)
		}
	}
	return line, verdict, some
}

// summary says how much was timed, what went wrong, and on what machine.
func summary(records []suite.Record) string {
	var requests, wrong float64
	var machine string
	failed, rounds := map[string]int{}, map[suite.Kind]int{}
	for _, r := range records {
		switch {
		case r.Kind == suite.Machine:
			machine = r.Text
		case r.Text != "":
			failed[r.Contender]++
		}
		rounds[r.Kind] = max(rounds[r.Kind], r.Round+1)
		requests += r.Values[suite.Requests]
		wrong += r.Values[suite.Wrong]
	}
	text := fmt.Sprintf("Rounds: %d in process, %d over loopback. Timed: %.1f million requests, wrong answers: %.0f.",
		rounds[suite.InProcess], rounds[suite.Loopback], requests/1e6, wrong)
	for _, c := range contender.All() {
		if n := failed[c.Name]; n > 0 {
			text += fmt.Sprintf(" Measurements of %s that failed: %d.", c.Name, n)
		}
	}
	return text + " Machine: " + machine + "."
}

// markdown writes a table whose columns after the first left are aligned to the right.
func markdown(w io.Writer, lines [][]string, left int) error {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	rule := make([]string, len(widths))
	for i, n := range widths {
		rule[i] = strings.Repeat("-", n)
		if i >= left {
			rule[i] = rule[i][1:] + ":"
		}
	}
	lines = append([][]string{lines[0], rule}, lines[1:]...)
	for _, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i >= left {
				cell = fill + cell
			} else {
				cell += fill
			}
			text.WriteString("| " + cell + " ")
		}
		if _, err := fmt.Fprintln(w, text.String()+"|"); err != nil {
			return err
		}
	}
	return nil
}
