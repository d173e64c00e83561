package drive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// RunProgram runs a program to its end and returns the end of what it has printed. The environment is that of the caller with
// env added; the standard input is empty. When ctx ends the program is asked to terminate, and all of its process group is
// killed in any case. The error is that of starting it, of ctx, or of its exit code.
func RunProgram(ctx context.Context, args, env []string) (printed string, err error) {
	if len(args) == 0 {
		return "", errors.New("the command line is empty")
	}
	var out tail
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = Grace
	ownGroup(cmd)
	cmd.Cancel = func() error {
		terminate(cmd)
		return nil
	}
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("starting the client: %w", err)
	}
	err = cmd.Wait()
	kill(cmd)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.String(), err
}
