// Command mcpbench compares Parley with other Go servers of the protocol, and shows what its own time goes into. It uses
// loopback addresses alone, and ends by itself. See docs/performance.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parley-mcp/parley/bench/agent"
	"github.com/parley-mcp/parley/bench/report"
	"github.com/parley-mcp/parley/bench/suite"
)

const usage = `usage:
  mcpbench run [-quick] [-records FILE]   measure, keep the records in FILE, print the table
  mcpbench report [-records FILE]         print the table of records
  mcpbench profile [-w W1,W3] [-lane L]   print what Parley's time and allocations go into
  mcpbench limits                         print what large results and idle streams cost

All but run take -into FILE: the output replaces that part of a Markdown file. -h lists all flags.
`

func main() {
	commands := map[string]func(args []string) error{
		"run":     run,
		"report":  table,
		"profile": profiles,
		"limits":  limits,
		"agent":   serve, // what the others start
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "mcpbench:", err)
		os.Exit(1)
	}
}

func serve(args []string) error {
	if len(args) != 1 {
		return errors.New("agent takes the name of a contender")
	}
	return agent.Run(args[0], os.Stdin, os.Stdout)
}

const defaultRecords = "records.jsonl"

func run(args []string) error {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	quick := flags.Bool("quick", false, "take less than 90 seconds")
	records := flags.String("records", defaultRecords, "file that is written")
	_ = flags.Parse(args) // ends the program if it fails
	file, err := os.Create(*records)
	if err != nil {
		return err
	}
	s := &suite.Suite{Config: suite.Full(), Out: file, Progress: os.Stderr}
	if *quick {
		s.Config = suite.Quick()
	}
	if err := errors.Join(s.Run(), file.Close()); err != nil {
		return err
	}
	return writeTable(os.Stdout, *records)
}

func table(args []string) error {
	flags := flag.NewFlagSet("report", flag.ExitOnError)
	records := flags.String("records", defaultRecords, "file that run has written")
	into := flags.String("into", "", "Markdown file")
	_ = flags.Parse(args)
	return output(*into, "table", func(w io.Writer) error { return writeTable(w, *records) })
}

func writeTable(w io.Writer, records string) error {
	file, err := os.Open(records)
	if err != nil {
		return err
	}
	defer file.Close()
	all, err := suite.Read(file)
	if err != nil {
		return err
	}
	return report.Table(w, all)
}

func limits(args []string) error {
	flags := flag.NewFlagSet("limits", flag.ExitOnError)
	into := flags.String("into", "", "Markdown file")
	_ = flags.Parse(args)
	figures, err := suite.Limits()
	if err != nil {
		return err
	}
	return output(*into, "limits", func(w io.Writer) error { return report.Figures(w, figures) })
}

// output writes to the standard output, or into a section of a file.
func output(into, section string, write func(io.Writer) error) error {
	if into == "" {
		return write(os.Stdout)
	}
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	return report.Insert(into, section, text.String())
}
