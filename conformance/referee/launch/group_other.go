//go:build !unix

package launch

import "os/exec"

// group leaves cmd as it is: without process groups only the program itself is ended.
func group(*exec.Cmd) {}
