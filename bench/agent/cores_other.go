//go:build !linux

package agent

import "os/exec"

// Cores returns nil: where it is not Linux, nothing is kept to a core, and figures vary more.
func Cores() []int { return nil }

// Stay does nothing.
func Stay([]int) error { return nil }

func startOn(cmd *exec.Cmd, _ []int) error { return cmd.Start() }
