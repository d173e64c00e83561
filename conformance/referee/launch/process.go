// Package launch starts programs that other people wrote, and the server that they are to judge: it installs locked npm
// packages, finds a Node that they run on, builds the command of this module and reads a server's address from its output.
//
// Everything it starts ends with the context it was given, children included.
package launch

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// grace is how long a program may take to end after it was asked to; then it is killed.
const grace = 5 * time.Second

// Command is [exec.CommandContext] for a program that starts programs of its own: when ctx ends, the program and all its
// children are asked to end, and the program is killed if it has not done so after five seconds.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = grace
	group(cmd)
	return cmd
}

// Signals is a context that ends when the user or the system asks this program to end. Call the function when done.
func Signals() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}
