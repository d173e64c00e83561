package measure

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/parley-mcp/parley/bench/workload"
)

// Fetch asks the server at an address for a large result, reads it as it comes, and returns how long it took until the
// first byte, and until the last.
func Fetch(address string, lane workload.Lane, f *workload.Features) (first, last time.Duration, err error) {
	w, err := workload.Find(workload.Large)
	if err != nil {
		return 0, 0, err
	}
	c := w.Call(lane, "", f)
	r, err := http.NewRequest(http.MethodPost, "http://"+address+"/mcp", bytes.NewReader(c.Body))
	if err != nil {
		return 0, 0, err
	}
	r.Header = c.Header.Clone()
	began := time.Now()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer res.Body.Close()
	first = time.Since(began)
	n, err := io.Copy(io.Discard, res.Body)
	if err == nil && (res.StatusCode != http.StatusOK || n < int64(f.Large) || n > int64(f.Large)+1024) {
		err = fmt.Errorf("status %d, %d bytes", res.StatusCode, n)
	}
	return first, time.Since(began), err
}
