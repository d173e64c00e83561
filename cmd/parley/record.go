package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/record"
)

func newRecordCommand() *cobra.Command {
	var endpoint, listen, out string
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Turn a live conversation into a transcript",
		Long: `Stand between a client and an endpoint, and write their conversation down as a transcript.

Point the client at the address that is printed, and interrupt when it is done. Ids, states and cursors that the server chose
become captures; credentials are not written down.`,
		Example: "  parley record --http http://127.0.0.1:8080/mcp -o local/bug.txtar",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			u, err := drive.ParseEndpoint(endpoint)
			if err != nil {
				return &codedError{exitUsage, fmt.Errorf("--http: %w", err)}
			}
			r := record.New(u)
			if err := serveRecorder(cmd.Context(), r, listen); err != nil {
				return err
			}
			text, err := r.Transcript()
			if len(text) == 0 {
				return err
			}
			if out == "" {
				_, werr := cmd.OutOrStdout().Write(text)
				return errors.Join(err, werr)
			}
			return errors.Join(err, os.WriteFile(out, text, 0o600))
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&endpoint, "http", "", "URL of the endpoint to record")
	flags.StringVar(&listen, "listen", "127.0.0.1:0", "address for the client")
	flags.StringVarP(&out, "output", "o", "", "file to write (default standard output)")
	_ = cmd.MarkFlagRequired("http")
	return cmd
}

// serveRecorder records until the context ends.
func serveRecorder(ctx context.Context, r *record.Recorder, address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "point the client at http://%s/, and interrupt when it is done\n", listener.Addr())
	return serveUntil(ctx, listener, r, (*http.Server).Close)
}
