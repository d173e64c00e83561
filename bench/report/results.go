// Package report turns records into the table, and profiles into lists of frames.
package report

import (
	"math"
	"slices"

	"github.com/parley-mcp/parley/bench/suite"
	"github.com/parley-mcp/parley/bench/workload"
)

// A point is what was measured, of nobody in particular.
type point struct {
	kind     suite.Kind
	workload string
	lane     workload.Lane
}

// results are the values of the rounds, by point and contender.
type results map[point]map[string]map[int]map[string]float64

func collect(records []suite.Record) results {
	all := results{}
	for _, r := range records {
		if r.Values == nil {
			continue
		}
		p := point{r.Kind, r.Workload, r.Lane}
		if all[p] == nil {
			all[p] = map[string]map[int]map[string]float64{}
		}
		if all[p][r.Contender] == nil {
			all[p][r.Contender] = map[int]map[string]float64{}
		}
		all[p][r.Contender][r.Round] = r.Values
	}
	return all
}

// value returns the median over the rounds, NaN if there are none.
func (rs results) value(p point, contender, metric string) float64 {
	var all []float64
	for _, values := range rs[p][contender] {
		all = append(all, values[metric])
	}
	return median(all)
}

// ratio returns the median over the rounds of a contender's value divided by another's in the same round, NaN if there
// is no round with both.
func (rs results) ratio(p point, contender, to, metric string) float64 {
	var all []float64
	for round, values := range rs[p][contender] {
		if base := rs[p][to][round][metric]; base > 0 && values[metric] > 0 {
			all = append(all, values[metric]/base)
		}
	}
	return median(all)
}

func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// mean returns the geometric mean, NaN if there are no values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
