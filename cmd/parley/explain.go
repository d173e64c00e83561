package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/matrix"
	"github.com/parley-mcp/parley/conformance/requirements"
	"github.com/parley-mcp/parley/conformance/transcript"
	"github.com/parley-mcp/parley/conformance/transcripts"
)

func newExplainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain ID",
		Short:   "Say what a requirement demands at each revision, and what proves it",
		Example: "  parley explain tools.unknown-tool-32602",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := requirements.Load()
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if err := m.Explain(out, args[0]); err != nil {
				return &codedError{exitUsage, err}
			}
			return explainProofs(out, args[0])
		},
	}
}

// explainProofs lists what proves a requirement.
func explainProofs(out io.Writer, id string) error {
	servers, err := transcripts.All()
	if err != nil {
		return err
	}
	clients, err := transcripts.Clients()
	if err != nil {
		return err
	}
	lines := slices.Concat(
		proofs("", id, servers, conformance.AlwaysChecks()),
		proofs(", of a client", id, clients, conformance.ClientChecks()))
	for _, c := range matrix.Cited(id) {
		lines = append(lines, fmt.Sprintf("  %s (%s): a test in %s", c.Function, strings.Join(c.Revisions, " "), c.File))
	}
	if len(lines) == 0 {
		lines = []string{"  nothing"}
	}
	_, err = fmt.Fprintf(out, "\nproved by:\n%s\n", strings.Join(lines, "\n"))
	return err
}

// proofs are the transcripts and checks of one side; of says which, in words.
func proofs(of, id string, all []*transcript.Transcript, checks []conformance.AlwaysCheck) []string {
	var lines []string
	for _, t := range all {
		for _, s := range t.Steps {
			if slices.Contains(s.IDs, id) {
				lines = append(lines, fmt.Sprintf("  %s (%s%s): %s", t.Name, strings.Join(t.Revisions, " "), of, s.Label))
			}
		}
	}
	for _, c := range checks {
		if slices.Contains(c.Requirements, id) {
			lines = append(lines, fmt.Sprintf("  %s: every message of every transcript%s", c.Name, of))
		}
	}
	return lines
}
