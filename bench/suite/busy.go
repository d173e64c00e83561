package suite

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// othersIn returns the CPU time in a text like that of /proc/stat, less that of this process and those it has waited for.
func othersIn(stat string) time.Duration {
	line, _, _ := strings.Cut(stat, "\n")
	var user, nice, system, idle, wait, irq, soft, steal time.Duration
	if n, _ := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq, &soft, &steal); n < 8 {
		return 0
	}
	spent := (user + nice + system + irq + soft + steal) * time.Second / ticks
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		_ = syscall.Getrusage(who, &r) // fails for bad arguments alone
		spent -= time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return spent
}

// ticks per second of /proc/stat (USER_HZ), the same on all architectures that Go runs on.
const ticks = 100
