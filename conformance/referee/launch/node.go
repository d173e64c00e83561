package launch

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// The oldest Node that every pinned package runs on.
const nodeMajor, nodeMinor = 22, 19

// Node is the path of the Node that dir's packages run on: the one pinned among them where npm has it for this platform,
// else the one in PATH if it is new enough.
func Node(ctx context.Context, dir string) (string, error) {
	pinned := filepath.Join(dir, "node_modules", "node-"+nodePlatform(runtime.GOOS, runtime.GOARCH), "bin", "node")
	if runtime.GOOS == "windows" {
		pinned += ".exe"
	}
	if _, err := os.Stat(pinned); err == nil {
		return pinned, nil
	}
	path, err := exec.LookPath("node")
	if err != nil {
		return "", fmt.Errorf("no Node is pinned for %s/%s: install Node %d.%d or newer: %w", runtime.GOOS, runtime.GOARCH, nodeMajor, nodeMinor, err)
	}
	out, err := Command(ctx, path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	if !nodeFits(string(out)) {
		return "", fmt.Errorf("%s is %s: install Node %d.%d or newer", path, strings.TrimSpace(string(out)), nodeMajor, nodeMinor)
	}
	return path, nil
}

// nodePlatform is how npm's packages of Node name a Go platform.
func nodePlatform(goos, goarch string) string {
	if goos == "windows" {
		goos = "win"
	}
	if goarch == "amd64" {
		goarch = "x64"
	}
	return goos + "-" + goarch
}

// nodeFits reports whether version, as `node --version` prints it, is new enough.
func nodeFits(version string) bool {
	parts := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(version), "v"), ".", 3)
	if len(parts) < 3 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return false
	}
	return major > nodeMajor || major == nodeMajor && minor >= nodeMinor
}
