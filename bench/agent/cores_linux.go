package agent

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// Cores returns the cores that this process may use.
func Cores() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cores []int
	for i := range 1024 {
		if set.IsSet(i) {
			cores = append(cores, i)
		}
	}
	return cores
}

// Stay keeps this process to some cores. Threads that are started later inherit that.
func Stay(cores []int) error {
	set := setOf(cores)
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return err
		}
		if err := unix.SchedSetaffinity(id, &set); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}

// startOn starts a command on some cores: a child inherits those of the thread that starts it.
func startOn(cmd *exec.Cmd, cores []int) error {
	if len(cores) == 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	set := setOf(cores)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return err
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	return cmd.Start()
}

func setOf(cores []int) (set unix.CPUSet) {
	for _, c := range cores {
		set.Set(c)
	}
	return set
}
