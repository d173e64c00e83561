package browser

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
)

// A screen is what the report is looked at with.
type screen struct {
	width, height int64
	phone, dark   bool
}

var (
	desktop = screen{width: 1280, height: 900}
	phone   = screen{width: 390, height: 844, phone: true}
)

// A tab is the report, opened in a browser of its own.
type tab struct {
	*testing.T
	ctx context.Context
}

// open shows the report on the screen. At the end of the test it requires that the browser had nothing to complain about
// and that the page asked the network for nothing but itself.
func open(t *testing.T, page []byte, s screen, fragment string) tab {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(server.Close)

	b := tab{t, start(t)}
	p := &problems{self: server.URL + "/"}
	require.NoError(t, chromedp.Listen(b.ctx, p.hear))
	t.Cleanup(func() { p.none(t) })
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: s.width, Height: s.height, DeviceScaleFactor: 2, Mobile: s.phone,
	})
	call(b, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: s.phone})
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	b.do(chromedp.Navigate(server.URL + "/" + fragment))
	return b
}

// start runs a browser with a fresh profile, and ends it with the test.
func start(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	t.Cleanup(func() { assert.NoError(t, chromedp.Cancel(ctx)) })
	return ctx
}

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("chromium is not in the path: apt-get install chromium")
	}
	t.Skip("chromium is not in the path: apt-get install chromium")
	return ""
}

func (b tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	require.NoError(b, chromedp.Do(b.ctx, actions...))
}

// call sends the browser a command that has no answer.
func call[P any](b tab, command cdp.Command[P, cdp.Empty], params P) {
	b.Helper()
	_, err := chromedp.Call(b.ctx, command, params)
	require.NoError(b, err)
}

// eval runs an expression in the page and returns its value.
func eval[T any](b tab, expression string) T {
	b.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(b, err, expression)
	return value
}

// until waits, at most ten seconds, for an expression to become true. It looks each time a frame is drawn.
func (b tab) until(expression string) {
	b.Helper()
	ok := eval[bool](b, `(async () => {
		const end = performance.now() + 10000;
		while (!(`+expression+`)) {
			if (performance.now() > end) return false;
			await new Promise(requestAnimationFrame);
		}
		return true;
	})()`)
	require.True(b, ok, "never became true: %s", expression)
}

// click clicks, with the mouse, on the middle of what a selector finds first.
func (b tab) click(selector string) {
	b.Helper()
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// press sends keys to whatever has the focus.
func (b tab) press(keys ...string) {
	b.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// shoot keeps a screenshot of what is in sight.
func (b tab) shoot(name string) {
	b.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(b, err)
	folder := os.Getenv("PARLEY_SCREENSHOTS")
	if folder == "" {
		folder = b.ArtifactDir()
	}
	require.NoError(b, os.MkdirAll(folder, 0o755))
	require.NoError(b, os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644))
}

// sample reads the report that these tests look at.
func sample(t *testing.T) *report.Report {
	t.Helper()
	text, err := os.ReadFile("../testdata/sample.json")
	require.NoError(t, err)
	r, err := report.Read(text)
	require.NoError(t, err)
	return r
}

// html writes a report as a page.
func html(t *testing.T, r *report.Report) []byte {
	t.Helper()
	text, err := os.ReadFile("../testdata/requirements.json")
	require.NoError(t, err)
	var known requirements
	require.NoError(t, json.Unmarshal(text, &known))
	var page bytes.Buffer
	require.NoError(t, report.HTML(&page, r, report.Options{Requirements: known}))
	return page.Bytes()
}

// requirements are those of testdata/requirements.json.
type requirements map[string]struct {
	Text   string            `json:"text"`
	Page   string            `json:"page"`
	Levels map[string]string `json:"levels"`
}

func (r requirements) Describe(id string) (string, bool) {
	known, ok := r[id]
	return known.Text, ok
}

func (r requirements) Level(id, revision string) string { return r[id].Levels[revision] }

func (r requirements) Clause(id, revision string) string {
	return "https://modelcontextprotocol.io/specification/" + revision + "/" + r[id].Page
}
