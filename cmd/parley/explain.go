package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance"
	"github.com/parley-mcp/parley/conformance/requirements"
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
			all, err := transcripts.All()
			if err != nil {
				return err
			}
			fmt.Fprintln(out, "\nproved by:")
			found := false
			for _, t := range all {
				for _, s := range t.Steps {
					if slices.Contains(s.IDs, args[0]) {
						found = true
						fmt.Fprintf(out, "  %s (%s): %s\n", t.Name, strings.Join(t.Revisions, " "), s.Label)
					}
				}
			}
			for _, c := range conformance.AlwaysChecks() {
				if slices.Contains(c.Requirements, args[0]) {
					found = true
					fmt.Fprintf(out, "  %s: every message of every transcript\n", c.Name)
				}
			}
			if !found {
				fmt.Fprintln(out, "  no transcript")
			}
			return nil
		},
	}
}
