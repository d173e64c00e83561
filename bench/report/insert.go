package report

import (
	"fmt"
	"os"
	"strings"
)

// Insert replaces what a Markdown file has between the lines <!-- mcpbench: SECTION --> and <!-- /mcpbench -->.
func Insert(file, section, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin := "<!-- mcpbench: " + section + " -->\n"
	const end = "<!-- /mcpbench -->\n"
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no part between %q and %q", file, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(file, []byte(before+begin+"\n"+strings.TrimSpace(text)+"\n\n"+end+after), 0o644)
}
