package report

import (
	"fmt"
	"io"

	"github.com/parley-mcp/parley/bench/suite"
)

// Shares writes the largest frames of a CPU profile, and why each is there.
func Shares(w io.Writer, frames []Frame, total float64, most int) error {
	lines := [][]string{{"function", "why", "share"}}
	for _, f := range frames[:min(len(frames), most)] {
		lines = append(lines, []string{code(f.Function), why(f.Function), fmt.Sprintf("%.1f %%", 100*f.Amount/total)})
	}
	return markdown(w, lines, 2)
}

// PerRequest writes the largest frames of a profile of allocations: objects, each charged to the function that makes it,
// and bytes.
func PerRequest(w io.Writer, objects, bytes []Frame, requests, most int) error {
	size := map[string]float64{}
	for _, f := range bytes {
		size[f.Function] = f.Amount
	}
	lines := [][]string{{"function", "why", "objects", "bytes"}}
	n := float64(requests)
	for _, f := range objects[:min(len(objects), most)] {
		if f.Amount/n >= 0.05 {
			lines = append(lines, []string{code(f.Function), why(f.Function), fmt.Sprintf("%.1f", f.Amount/n), fmt.Sprintf("%.0f", size[f.Function]/n)})
		}
	}
	return markdown(w, lines, 2)
}

func code(function string) string { return "`" + function + "`" }

// Figures writes questions and answers.
func Figures(w io.Writer, figures []suite.Figure) error {
	lines := [][]string{{"what", "figures"}}
	for _, f := range figures {
		lines = append(lines, []string{f.Question, f.Answer})
	}
	return markdown(w, lines, 2)
}
