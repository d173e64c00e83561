package launch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// stamp is the file in node_modules that names the lock file from which it was installed.
const stamp = ".installed-from"

// Install runs `npm ci` in dir, unless node_modules there already is what dir's package-lock.json asks for. No package's
// install script runs. What npm prints goes to log.
func Install(ctx context.Context, dir string, log io.Writer) error {
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("read the lock file: %w", err)
	}
	sum := sha256.Sum256(lock)
	want := []byte(hex.EncodeToString(sum[:]))
	mark := filepath.Join(dir, "node_modules", stamp)
	if have, err := os.ReadFile(mark); err == nil && bytes.Equal(have, want) {
		return nil
	}
	cmd := Command(ctx, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm ci in %s (npm must be installed): %w", dir, err)
	}
	return os.WriteFile(mark, want, 0o644)
}
