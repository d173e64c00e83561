//go:build unix

package launch

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// group gives cmd a process group of its own and ends that whole group when the context of cmd does.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM); !errors.Is(err, syscall.ESRCH) {
			return err
		}
		return os.ErrProcessDone
	}
}
