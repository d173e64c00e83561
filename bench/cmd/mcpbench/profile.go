package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/parley-mcp/parley/bench/contender"
	"github.com/parley-mcp/parley/bench/measure"
	"github.com/parley-mcp/parley/bench/report"
	"github.com/parley-mcp/parley/bench/workload"
)

// A subject is what is profiled.
type subject struct {
	contender contender.Contender
	workload  workload.Workload
	lane      workload.Lane
	tools     int
}

// profiles writes what a contender's time and allocations go into.
func profiles(args []string) error {
	flags := flag.NewFlagSet("profile", flag.ExitOnError)
	workloads := flags.String("w", "W1,W3", "workloads")
	lane := flags.String("lane", string(workload.Sessions), "stateless, sessions or per-request")
	name := flags.String("contender", contender.Parley, "whose profile")
	tools := flags.Int("tools", workload.StandardTools, "how many tools the server has")
	most := flags.Int("n", 10, "how many functions are shown")
	keep := flags.String("keep", "", "folder to keep the CPU profiles in, for go tool pprof")
	into := flags.String("into", "", "Markdown file")
	_ = flags.Parse(args)
	c, err := contender.Find(*name)
	if err != nil {
		return err
	}
	return output(*into, "profiles", func(w io.Writer) error {
		for id := range strings.SplitSeq(*workloads, ",") {
			of, err := workload.Find(id)
			if err == nil {
				err = subject{c, of, workload.Lane(*lane), *tools}.write(w, *most, *keep)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func (s subject) write(w io.Writer, most int, keep string) error {
	runtime.MemProfileRate = 0
	b, err := measure.Prepare(s.contender, s.workload, s.lane, workload.NewFeatures(s.tools))
	if err != nil {
		return err
	}
	spent, err := profileCPU(b)
	if err != nil {
		return err
	}
	if err := save(spent, keep, s.workload.ID+"-"+string(s.lane)+".prof"); err != nil {
		return err
	}
	made, requests, err := profileAllocations(b)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s %s, %s", s.workload.ID, s.workload.Title, s.lane.Title())
	fmt.Fprintf(w, "**CPU, %s**\n\n", title)
	frames, total := report.Frames(spent, 1)
	if err := report.Shares(w, frames, total, most); err != nil {
		return err
	}
	objects, all := report.Frames(made, 0)
	bytes, size := report.Frames(made, 1)
	n := float64(requests)
	fmt.Fprintf(w, "\n**Allocations, %s**: %.1f objects and %.0f bytes per request\n\n", title, all/n, size/n)
	if err := report.PerRequest(w, objects, bytes, requests, most); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w)
	return err
}

// profileCPU profiles three seconds.
func profileCPU(b *measure.Bench) (*profile.Profile, error) {
	b.Do(2000)
	var buf bytes.Buffer
	if err := pprof.StartCPUProfile(&buf); err != nil {
		return nil, err
	}
	wrong := 0
	for began := time.Now(); time.Since(began) < 3*time.Second; {
		wrong += b.Do(200)
	}
	pprof.StopCPUProfile()
	if wrong > 0 {
		return nil, fmt.Errorf("%d wrong answers", wrong)
	}
	return profile.Parse(&buf)
}

// profileAllocations profiles each allocation of some requests.
func profileAllocations(b *measure.Bench) (*profile.Profile, int, error) {
	const requests = 2000
	runtime.MemProfileRate = 1
	defer func() { runtime.MemProfileRate = 0 }()
	b.Do(requests) // fills pools and caches
	before, err := allocations()
	if err != nil {
		return nil, 0, err
	}
	b.Do(requests)
	after, err := allocations()
	if err != nil {
		return nil, 0, err
	}
	before.Scale(-1)
	made, err := profile.Merge([]*profile.Profile{after, before})
	return made, requests, err
}

func allocations() (*profile.Profile, error) {
	runtime.GC()
	runtime.GC() // a profile shows what was allocated before the last collection but one
	var buf bytes.Buffer
	if err := pprof.Lookup("allocs").WriteTo(&buf, 0); err != nil {
		return nil, err
	}
	return profile.Parse(&buf)
}

func save(p *profile.Profile, folder, name string) error {
	if folder == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	if err := p.Write(f); err != nil {
		return err
	}
	return f.Close()
}
