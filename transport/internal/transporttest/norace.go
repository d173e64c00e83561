//go:build !race

package transporttest

// Race says whether the race detector is on, which makes pools forget.
const Race = false
