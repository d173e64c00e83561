package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// readExpected reads a file of expected failures: a scenario in each line, then "#" and the reason. Empty lines and lines
// that begin with "#" say nothing. The result maps scenarios to reasons.
func readExpected(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s is missing: create it, empty if no scenario is expected to fail", path)
	}
	if err != nil {
		return nil, err
	}
	expected, err := parseExpected(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return expected, nil
}

func parseExpected(text string) (map[string]string, error) {
	expected := map[string]string{}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		scenario, reason, _ := strings.Cut(line, "#")
		scenario, reason = strings.TrimSpace(scenario), strings.TrimSpace(reason)
		switch {
		case strings.ContainsAny(scenario, " \t"):
			return nil, fmt.Errorf("line %d: %q is not one scenario: write `scenario  # reason`", n+1, scenario)
		case reason == "":
			return nil, fmt.Errorf("line %d: %s has no reason: write `%s  # reason`", n+1, scenario, scenario)
		case expected[scenario] != "":
			return nil, fmt.Errorf("line %d: %s is listed twice", n+1, scenario)
		}
		expected[scenario] = reason
	}
	return expected, nil
}
