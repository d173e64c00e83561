package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// module is the first line of the go.mod whose folder [Root] looks for.
const module = "module github.com/parley-mcp/parley"

// Root is the folder of this module: the working directory or the nearest one above it.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if first, _, _ := strings.Cut(string(text), "\n"); strings.TrimSpace(first) == module {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run this inside a clone of the repository")
		}
		dir = up
	}
}

// Build compiles the package pkg of the module in root into the folder out and returns the program's path.
func Build(ctx context.Context, root, pkg, out string) (string, error) {
	cmd := Command(ctx, "go", "build", "-o", out+string(filepath.Separator), pkg)
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, text)
	}
	name := filepath.Base(pkg)
	if _, err := os.Stat(filepath.Join(out, name)); err != nil {
		name += ".exe"
	}
	return filepath.Join(out, name), nil
}
