package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json"
	"go.yaml.in/yaml/v4"

	"github.com/parley-mcp/parley/conformance/referee/launch"
)

// suite is the installed official suite.
type suite struct {
	node   string // the Node to run it with
	folder string // the suite's package
}

// run is one run of the suite.
type run struct {
	revision string
	outcomes []outcome
}

// requirements is what the suite's own list says about one revision.
type requirements struct {
	Server    []string `yaml:"server"`
	NotScored []struct {
		Scenario string `yaml:"scenario"`
		Leg      string `yaml:"leg"`
	} `yaml:"not_scored"`
}

// required reads the suite's list of what a revision requires. It is nil for a revision that has none.
func (s suite) required(revision string) (*requirements, error) {
	text, err := os.ReadFile(filepath.Join(s.folder, "requirements", revision+".yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list requirements
	if err := yaml.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read the suite's requirements: %w", err)
	}
	return &list, nil
}

// run runs everything that the suite has for a revision against the server at url and leaves its files in results. A
// revision that the suite has requirements for is run by them, any other by all scenarios that apply to it.
func (s suite) run(ctx context.Context, url, revision, results string) (*run, error) {
	if err := freshFolder(results); err != nil {
		return nil, err
	}
	list, err := s.required(revision)
	if err != nil {
		return nil, err
	}
	args := []string{filepath.Join(s.folder, "dist", "index.js"), "server", "--url", url, "-o", results}
	if list != nil {
		args = append(args, "--requirements", revision)
	} else {
		args = append(args, "--suite", "all", "--spec-version", revision)
	}
	var out bytes.Buffer
	cmd := launch.Command(ctx, s.node, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if err := os.WriteFile(filepath.Join(results, "output.txt"), out.Bytes(), 0o644); err != nil {
		return nil, err
	}
	if exit := new(exec.ExitError); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	outcomes, err := collect(out.Bytes(), results, list)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	return &run{revision, outcomes}, nil
}

// freshFolder creates a folder that must not be there yet, so that no result of an earlier run is taken for one of this run.
func freshFolder(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return fmt.Errorf("results go to a new folder: %w", err)
	}
	return nil
}

var started = regexp.MustCompile(`(?m)^=== Running scenario: (\S+) ===$`)

// collect reads the results of the scenarios that the suite's output says it started. All of them are scored if list is nil.
func collect(output []byte, results string, list *requirements) ([]outcome, error) {
	var outcomes []outcome
	for _, m := range started.FindAllSubmatch(output, -1) {
		o, err := readOutcome(results, string(m[1]))
		if err != nil {
			return nil, err
		}
		o.scored = list == nil || slices.Contains(list.Server, o.scenario)
		outcomes = append(outcomes, o)
	}
	if len(outcomes) == 0 {
		return nil, errors.New("the suite ran no scenario")
	}
	return outcomes, list.complete(outcomes)
}

// complete is an error if a scenario that the list names for servers did not run.
func (r *requirements) complete(outcomes []outcome) error {
	if r == nil {
		return nil
	}
	names := slices.Clone(r.Server)
	for _, n := range r.NotScored {
		if n.Leg == "server" {
			names = append(names, n.Scenario)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(outcomes, func(o outcome) bool { return o.scenario == name }) {
			return fmt.Errorf("the suite did not run %s, which its own requirements name", name)
		}
	}
	return nil
}

// check is one entry of a scenario's result file.
type check struct {
	ID          string `json:"id"`
	Description string `json:"description"`
	Status      string `json:"status"`
	Message     string `json:"errorMessage"`
}

// line is a check in one line of text.
func (c check) line() string {
	if c.Message == "" {
		return c.ID + ": " + c.Description
	}
	return c.ID + ": " + c.Message
}

// resultTime ends the name of a folder of results.
const resultTime = "-????-??-??T??-??-??-???Z"

// readOutcome reads the result file of a scenario. A scenario that left none was broken off, which is a failure.
func readOutcome(results, scenario string) (outcome, error) {
	o := outcome{scenario: scenario}
	files, err := filepath.Glob(filepath.Join(results, "server-"+scenario+resultTime, "checks.json"))
	if err != nil {
		return o, err
	}
	if len(files) == 0 {
		o.failures = []string{"the suite could not finish the scenario: see output.txt in its results"}
		return o, nil
	}
	text, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		return o, err
	}
	var checks []check
	if err := json.Unmarshal(text, &checks); err != nil {
		return o, fmt.Errorf("read %s: %w", files[len(files)-1], err)
	}
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			o.judged++
		case "FAILURE":
			o.judged++
			o.failures = append(o.failures, c.line())
		case "WARNING":
			o.warnings = append(o.warnings, c.line())
		}
	}
	return o, nil
}
