// Package report holds what a conformance run found, and writes it for people (terminal, Markdown, HTML) and for machines
// (JSON, JUnit, SARIF).
//
// The types below are the contract: the JSON report is their encoding, and Format is its version. Fields are only ever
// added within one Format.
package report

import "time"

// Format is the version of the JSON layout. It rises when a field changes its meaning or goes.
const Format = 1

// A Verdict is what one transcript, or one step of it, came to.
type Verdict string

const (
	// Pass: every message was as required.
	Pass Verdict = "pass"
	// Fail: a message broke a requirement of level MUST or MUST NOT, or no answer came.
	Fail Verdict = "fail"
	// Warn: only requirements of level SHOULD or SHOULD NOT are broken.
	Warn Verdict = "warn"
	// NotApplicable: the server does not have what the transcript is about; Reason says what.
	NotApplicable Verdict = "not-applicable"
	// Open: the specification contradicts itself here; the observation is recorded and judged by nobody.
	Open Verdict = "open"
	// Untestable: the run could not find out, and Reason says why. Never counted as a pass.
	Untestable Verdict = "untestable"
	// NotReached: an earlier step failed, so that this one was never tried. Never counted as a pass.
	NotReached Verdict = "not-reached"
)

// A Report is one run against one target.
type Report struct {
	Format  int       `json:"format"`
	Tool    Software  `json:"tool"`
	Target  Target    `json:"target"`
	Started time.Time `json:"started"`
	// ElapsedMs is the duration of the run in milliseconds.
	ElapsedMs int64 `json:"elapsedMs"`
	// Interrupted is true if the run was stopped before its end: what is missing from Results was not run.
	Interrupted bool `json:"interrupted,omitempty"`
	// Set is the frozen set of requirements to which the run was restricted; nil if it was not.
	Set     *RequirementSet `json:"set,omitempty"`
	Results []Result        `json:"results"`
	// Known lists the known-failure patterns that matched nothing, or whose transcript passed: each fails the run.
	Known []KnownProblem `json:"knownProblems,omitempty"`
}

// A RequirementSet is a frozen set of requirements.
type RequirementSet struct {
	// Name is its revision, an at sign and its number.
	Name string `json:"name"`
	// Total is how many requirements it has, Tested how many of these passed, failed or warned.
	Total  int `json:"total"`
	Tested int `json:"tested"`
}

// Software names a program and its version.
type Software struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A Target is what was tested.
type Target struct {
	// Name is how the user named it: a URL or a command line, credentials masked; "built-in" for the reference server.
	Name string `json:"name"`
	// Server is what the server calls itself; empty if it was never reached.
	Server Software `json:"server"`
	// Revisions are the revisions it was found to speak, newest first, by transport ("http", "stdio").
	Revisions map[string][]string `json:"revisions"`
}

// A Result is one transcript at one revision over one transport.
type Result struct {
	// Transcript is its name: the area, a slash, and the file's name without ending.
	Transcript string `json:"transcript"`
	Area       string `json:"area"`
	// Story is the first sentence of the transcript's prose.
	Story     string  `json:"story"`
	Revision  string  `json:"revision"`
	Transport string  `json:"transport"`
	Verdict   Verdict `json:"verdict"`
	// Reason says why, for every verdict but Pass.
	Reason string `json:"reason,omitempty"`
	// KnownReason is set if a known-failure pattern covers this failure: it then does not fail the run.
	KnownReason string `json:"knownReason,omitempty"`
	ElapsedMs   int64  `json:"elapsedMs"`
	Steps       []Step `json:"steps"`
}

// A Step is one section of a transcript.
type Step struct {
	// Label is the section's label, Line its line in the file, Kind its marker (">", "<", "<?", "<~", "<!", ">raw", ">http").
	Label   string  `json:"label"`
	Line    int     `json:"line"`
	Kind    string  `json:"kind"`
	Verdict Verdict `json:"verdict"`
	// Requirements are the ids this step proves.
	Requirements []string `json:"requirements,omitempty"`
	// Problem is a readable difference between what was required and what came.
	Problem string `json:"problem,omitempty"`
	// Sent and Received are the bytes of the exchange, secrets masked, cut at a bound.
	Sent     string `json:"sent,omitempty"`
	Received string `json:"received,omitempty"`
	// Curl repeats the request from a shell; empty over stdio.
	Curl string `json:"curl,omitempty"`
}

// A KnownProblem is a known-failure pattern that did not do its work.
type KnownProblem struct {
	Pattern string `json:"pattern"`
	Reason  string `json:"reason"`
	Problem string `json:"problem"`
}
