package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// JUnit writes the report as JUnit XML: a suite for each revision and transport, a case for each transcript. A warning
// is a success whose output says so. What does not apply, is open, is untestable, or is a known failure is skipped, with
// the reason. What was not reached is an error. Whatever else fails a run is an error in a last suite, "run".
func JUnit(w io.Writer, r *Report, o Options) error {
	all := junitSuites{Name: r.Tool.Name, Time: seconds(r.ElapsedMs)}
	suites := map[Column]*junitSuite{}
	for _, run := range Summarize(r).Runs {
		suite := &junitSuite{Name: run.Column.String(), Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"), Properties: junitProperties(r)}
		suites[run.Column] = suite
		all.Suites = append(all.Suites, suite)
	}
	elapsed := map[Column]int64{}
	for _, res := range sorted(r) {
		suites[res.column()].add(junitResult(res, o))
		elapsed[res.column()] += res.ElapsedMs
	}
	for column, suite := range suites {
		suite.Time = seconds(elapsed[column])
	}
	if run := junitRun(r); len(run.Cases) > 0 {
		all.Suites = append(all.Suites, run)
	}
	for _, suite := range all.Suites {
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the report: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// junitProperties names the set to which the run was restricted.
func junitProperties(r *Report) *junitPropertyList {
	if r.Set == nil {
		return nil
	}
	return &junitPropertyList{[]junitProperty{{"requirements", oneLine(r.Set.Name)}}}
}

type junitPropertyList struct {
	Properties []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitSuites struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Skipped  int           `xml:"skipped,attr"`
	Time     string        `xml:"time,attr"`
	Suites   []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	Tests     int    `xml:"tests,attr"`
	Failures  int    `xml:"failures,attr"`
	Errors    int    `xml:"errors,attr"`
	Skipped   int    `xml:"skipped,attr"`
	Time      string `xml:"time,attr"`
	Timestamp string `xml:"timestamp,attr,omitempty"`
	// Properties come first; nil leaves them out.
	Properties *junitPropertyList `xml:"properties"`
	Cases      []junitCase        `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitMessage `xml:"skipped"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

func junitResult(res *Result, o Options) junitCase {
	c := junitCase{
		Name:  oneLine(res.Transcript),
		Class: oneLine(res.Revision + "." + res.Transport + "." + res.Area),
		Time:  seconds(res.ElapsedMs),
	}
	reason := oneLine(res.Reason)
	switch {
	case res.Verdict == Pass:
	case res.known():
		c.Skipped = &junitMessage{Message: oneLine("known failure: " + res.KnownReason + ": " + res.Reason)}
	case res.Verdict == Fail:
		c.Failure = &junitMessage{Message: reason, Type: string(Fail), Text: evidence(res, o)}
	case res.Verdict == NotReached:
		c.Error = &junitMessage{Message: reason, Type: string(NotReached)}
	case res.Verdict == Warn:
		c.Output = "warning: " + reason + "\n" + evidence(res, o)
	default:
		c.Skipped = &junitMessage{Message: heading[res.Verdict] + ": " + reason}
	}
	return c
}

// junitRun holds what fails a run without being any transcript's result.
func junitRun(r *Report) *junitSuite {
	suite := &junitSuite{Name: "run", Time: seconds(0)}
	add := func(name, message string) {
		suite.add(junitCase{Name: oneLine(name), Class: "run", Time: seconds(0), Error: &junitMessage{Message: oneLine(message)}})
	}
	for _, k := range r.Known {
		add("known failure "+k.Pattern, k.Problem)
	}
	if r.Interrupted {
		add("complete", "the run was interrupted before its end")
	}
	if len(r.Results) == 0 {
		add("not empty", "nothing was run")
	}
	return suite
}

func seconds(ms int64) string {
	return fmt.Sprintf("%.3f", (time.Duration(ms) * time.Millisecond).Seconds())
}
