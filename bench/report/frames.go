package report

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"
)

// A Frame is a function and what it is charged with.
type Frame struct {
	Function string
	Amount   float64 // in the unit of the profile
}

// Frames charges each sample of a profile to the function that runs, and returns all functions, the largest first, with
// the sum. What the runtime does is charged to the function that makes it do so: a list of the allocator's parts says
// nothing about a program. What is neither the handler nor the runtime by itself is left out: it is the harness. value says which of the profile's values is meant.
func Frames(p *profile.Profile, value int) (frames []Frame, total float64) {
	charged := map[string]float64{}
	for _, s := range p.Sample {
		function, ours := charge(s)
		if !ours {
			continue
		}
		charged[function] += float64(s.Value[value])
		total += float64(s.Value[value])
	}
	for _, function := range slices.Sorted(maps.Keys(charged)) {
		frames = append(frames, Frame{function, charged[function]})
	}
	slices.SortStableFunc(frames, func(a, b Frame) int { return cmp.Compare(b.Amount, a.Amount) })
	return frames, total
}

// charge returns the function that a sample is charged to; ours reports whether it is the handler's or the runtime's.
func charge(s *profile.Sample) (function string, ours bool) {
	background := "(scheduler)"
	for _, l := range s.Location {
		for _, line := range l.Line {
			name := line.Function.Name
			if strings.HasSuffix(name, ".ServeHTTP") {
				ours = true
			}
			if function == "" && !inRuntime(name) {
				function = shorten(name)
			}
			if name == "runtime.gcBgMarkWorker" || name == "runtime.bgsweep" || name == "runtime.bgscavenge" {
				background = "(garbage collection in the background)"
			}
		}
	}
	if function == "" {
		return background, true
	}
	return function, ours
}

// inRuntime reports whether a function belongs to the runtime: to its packages, or to none, as its assembly does.
func inRuntime(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/") || !strings.Contains(name, ".")
}

var typeArguments = regexp.MustCompile(`\[.*\]`)

// shorten leaves the last part of a package's path, and no type arguments.
func shorten(name string) string {
	name = typeArguments.ReplaceAllString(name, "[…]")
	return name[strings.LastIndex(name, "/")+1:]
}
