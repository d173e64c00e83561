package main

import (
	"maps"
	"slices"
)

// outcome is what became of one scenario.
type outcome struct {
	scenario string
	scored   bool     // it counts for conformance to the run's revision
	failures []string // why it failed, one line for each failed check; it passed if there are none
	warnings []string // recommendations that the server does not follow
	judged   int      // checks that passed or failed; 0 means that the suite had nothing to judge
}

// idle reports whether the scenario passed only because the suite had nothing to judge.
func (o outcome) idle() bool { return o.judged == 0 && len(o.failures) == 0 }

// surprise is a result that the expected-failures file does not have.
type surprise struct {
	scenario string
	what     string // completes "it ..."
	details  []string
}

// judge compares what happened with what was expected to fail. Both directions count: a listed scenario that passes and one
// that did not run are surprises too, so that the list cannot outlive its reasons.
func judge(outcomes []outcome, expected map[string]string) []surprise {
	var found []surprise
	ran := map[string]bool{}
	for _, o := range outcomes {
		ran[o.scenario] = true
		reason, listed := expected[o.scenario]
		switch failed := len(o.failures) > 0; {
		case failed && !listed:
			found = append(found, surprise{o.scenario, "failed", o.failures})
		case !failed && listed:
			found = append(found, surprise{o.scenario, "passed, though it is listed as a failure: remove its line", []string{"the reason given there: " + reason}})
		}
	}
	for _, scenario := range slices.Sorted(maps.Keys(expected)) {
		if !ran[scenario] {
			found = append(found, surprise{scenario, "did not run, though it is listed as a failure: remove or correct its line", nil})
		}
	}
	return found
}

// tally counts the passes among the scored, or the other, outcomes.
func tally(outcomes []outcome, scored bool) (passed, total int) {
	for _, o := range outcomes {
		if o.scored != scored {
			continue
		}
		total++
		if len(o.failures) == 0 {
			passed++
		}
	}
	return passed, total
}
