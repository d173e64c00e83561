package measure

import (
	"runtime"
	"syscall"
	"time"
)

// Usage is what a process uses.
type Usage struct {
	CPU        time.Duration // since its start, of all threads
	Heap       uint64        // bytes of live objects, if garbage was collected first
	Stack      uint64        // bytes of goroutines' stacks
	Allocated  uint64        // bytes since its start
	Resident   uint64        // bytes that the process had in memory at most
	Goroutines int
}

// Used returns what this process uses; with collect, after collecting garbage.
func Used(collect bool) Usage {
	if collect {
		for range 3 { // pools let go at the second
			runtime.GC()
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return Usage{CPU: spent(&r), Heap: m.HeapAlloc, Stack: m.StackInuse, Allocated: m.TotalAlloc,
		Resident: uint64(r.Maxrss) << 10, Goroutines: runtime.NumGoroutine()}
}

// cpu returns the CPU time that this process has used.
func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r) // fails for bad arguments alone
	return spent(&r)
}

func spent(r *syscall.Rusage) time.Duration { return time.Duration(r.Utime.Nano() + r.Stime.Nano()) }
