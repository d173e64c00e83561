package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWorst(t *testing.T) {
	tests := map[string]struct {
		verdicts []Verdict
		want     Verdict
	}{
		"none":                             {nil, ""},
		"broken beats unknown":             {[]Verdict{NotReached, Fail, Pass}, Fail},
		"a broken SHOULD beats unknown":    {[]Verdict{Untestable, Warn}, Warn},
		"unknown beats proven":             {[]Verdict{Pass, NotReached, Untestable}, NotReached},
		"open beats proven":                {[]Verdict{Pass, Open}, Open},
		"what does not apply says nothing": {[]Verdict{NotApplicable, Pass}, Pass},
		"nothing but that":                 {[]Verdict{NotApplicable, NotApplicable}, NotApplicable},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.want, Worst(test.verdicts...)) })
	}
	assert.ElementsMatch(t, Verdicts, badness, "each verdict has its place in the order")
}

func TestSummarize(t *testing.T) {
	s := Summarize(sample(t))
	assert.Equal(t, Counts{Pass: 44, Fail: 7, Warn: 3, NotApplicable: 12, Open: 4, Untestable: 3, NotReached: 1}, s.Counts)
	assert.Equal(t, 74, s.Counts.Total())
	assert.Equal(t, Counts{Fail: 2}, s.Known)
	var columns []string
	total := 0
	for _, run := range s.Runs {
		columns = append(columns, run.Column.String())
		total += run.Counts.Total()
	}
	assert.Equal(t, []string{
		"2026-07-28 http", "2026-07-28 stdio", "2025-11-25 http", "2025-11-25 stdio",
		"2025-06-18 http", "2025-06-18 stdio", "2025-03-26 http",
	}, columns)
	assert.Equal(t, 74, total)
	for _, area := range s.Areas {
		total -= area.Counts.Total()
	}
	assert.Zero(t, total, "each result is in one area")
}

func TestFailed(t *testing.T) {
	one := func(v Verdict) *Report { return &Report{Results: []Result{{Verdict: Pass}, {Verdict: v}}} }
	known := func(v Verdict) *Report {
		return &Report{Results: []Result{{Verdict: v, KnownReason: "a bug upstream"}}}
	}
	tests := map[string]struct {
		report *Report
		on     FailOn
		want   bool
	}{
		"a pass":                          {one(Pass), FailOn{}, false},
		"a failure":                       {one(Fail), FailOn{}, true},
		"a failure, never":                {one(Fail), FailOn{Never: true}, false},
		"a known failure":                 {known(Fail), FailOn{}, false},
		"never reached":                   {one(NotReached), FailOn{}, true},
		"never reached, as known":         {known(NotReached), FailOn{}, false},
		"a warning":                       {one(Warn), FailOn{}, false},
		"a warning, asked for":            {one(Warn), FailOn{Also: []Verdict{Warn}}, true},
		"a known warning":                 {known(Warn), FailOn{Also: []Verdict{Warn}}, false},
		"untestable":                      {one(Untestable), FailOn{}, false},
		"untestable, asked for":           {one(Untestable), FailOn{Also: []Verdict{Untestable}}, true},
		"open and not applicable":         {&Report{Results: []Result{{Verdict: Open}, {Verdict: NotApplicable}}}, FailOn{}, false},
		"a pass that was a known failure": {&Report{Results: []Result{{Verdict: Pass}}, Known: []KnownProblem{{}}}, FailOn{}, true},
		"interrupted":                     {&Report{Results: []Result{{Verdict: Pass}}, Interrupted: true}, FailOn{}, true},
		"nothing run":                     {&Report{}, FailOn{}, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := Summarize(test.report)
			assert.Equal(t, test.want, s.Failed(test.on))
			assert.Equal(t, test.want, len(s.Reasons(test.on)) > 0)
		})
	}
}

func TestReasonsSayWhatFailed(t *testing.T) {
	r := sample(t)
	r.Interrupted = true
	assert.Equal(t, []string{
		"5 conversations failed", "3 conversations warned", "1 conversation not reached",
		"1 known-failure pattern did not match a failure", "the run was interrupted before its end",
	}, Summarize(r).Reasons(FailOn{Also: []Verdict{Warn}}))
}
