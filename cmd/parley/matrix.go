package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance/matrix"
)

func newMatrixCommand() *cobra.Command {
	var root, html string
	var write, check, verbose bool
	cmd := &cobra.Command{
		Use:   "matrix",
		Short: "Say of every requirement of every revision what proves it",
		Long: `Say of every requirement of every revision what proves it: transcripts, and tests that cite it.

It reads the tests of a checkout of Parley, and prints the counts of each revision. Exit codes: 0, 1 if a citation, a
transcript or a reason is wrong, or with --check if the pages differ, 2 for wrong usage.`,
		Example: "  parley matrix --write\n  parley matrix --check\n  parley matrix --html matrix.html",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := matrix.Load(root)
			if m == nil {
				return err
			}
			if html != "-" {
				printMatrix(cmd.OutOrStdout(), m, verbose)
			}
			switch {
			case err != nil:
			case write:
				err = m.Write(root)
			case check:
				err = m.Check(root)
			}
			if html != "" {
				err = errors.Join(err, writeHTML(m, html, cmd.OutOrStdout()))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&root, "root", ".", "folder of the checkout")
	flags.BoolVar(&write, "write", false, "write SPEC_MATRIX.md and docs/matrix")
	flags.BoolVar(&check, "check", false, "fail if these are not as --write would write them")
	flags.StringVar(&html, "html", "", "write one searchable page to this file; - is standard output")
	flags.BoolVarP(&verbose, "verbose", "v", false, "list the gaps among the MUSTs of servers on the wire")
	cmd.MarkFlagsMutuallyExclusive("write", "check")
	return cmd
}

func writeHTML(m *matrix.Matrix, name string, stdout io.Writer) error {
	if name == "-" {
		return m.HTML(stdout)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(m.HTML(file), file.Close())
}

// printMatrix prints the counts of each revision.
func printMatrix(out io.Writer, m *matrix.Matrix, verbose bool) {
	for _, s := range m.Summaries() {
		n, wire := s.All, s.Wire
		fmt.Fprintf(out, "%s  %d requirements: %d proven (%d by transcript, %d by test), %d open, %d not observable, %d gaps\n", s.Revision,
			n.Total, n.Proven(), n.ByStatus[matrix.ByTranscript], n.ByStatus[matrix.ByTest], n.ByStatus[matrix.Open],
			n.ByStatus[matrix.NotObservable], n.ByStatus[matrix.Gap])
		fmt.Fprintf(out, "            MUSTs of servers on the wire: %d: %d proven, %d open, %d gaps\n", wire.Total, wire.Proven(),
			wire.ByStatus[matrix.Open], wire.ByStatus[matrix.Gap])
		if x := s.Extensions; x.Total > 0 {
			fmt.Fprintf(out, "            and those of extensions: %d: %d proven, %d open, %d gaps\n", x.Total, x.Proven(),
				x.ByStatus[matrix.Open], x.ByStatus[matrix.Gap])
		}
		of := s.Clients
		fmt.Fprintf(out, "            MUSTs of clients on the wire: %d: %d proven, %d gaps\n", of.Total, of.Proven(), of.ByStatus[matrix.Gap])
		for _, id := range s.Gaps {
			if verbose {
				fmt.Fprintf(out, "              gap: %s\n", id)
			}
		}
	}
	if ids := m.Unexplained(); len(ids) > 0 {
		fmt.Fprintf(out, "without a proof and without a reason: %s\n", strings.Join(ids, ", "))
	}
}
