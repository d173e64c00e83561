package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/conformance/report"
)

const (
	visibleRows  = `[...document.querySelectorAll("table:not([hidden]) tr[data-id]")].filter(r => r.checkVisibility()).map(r => r.dataset.id)`
	openedDialog = `document.querySelector("dialog").open`
	focusedLabel = `document.activeElement.getAttribute("aria-label") || document.activeElement.textContent`
)

// Somebody opens the report, sees that it failed, asks for what failed at one revision, and reads the bytes.
func TestFindsTheFailingExchangeWithTheMouse(t *testing.T) {
	b := open(t, html(t, sample(t)), desktop, "")
	b.shoot("desktop")
	assert.Contains(t, eval[string](b, `document.querySelector(".outcome").textContent`), "Failed: 5 conversations failed")
	all := eval[[]string](b, visibleRows)
	assert.Len(t, all, 17)

	b.click(`[data-filter=verdict] .chip:has([value=fail])`)
	b.click(`[data-filter=revision] .chip:has([value="2025-11-25"])`)
	b.until(`document.querySelector("#shown").textContent === "1 of 17 requirements shown"`)
	assert.Equal(t, []string{"tools.unknown-tool"}, eval[[]string](b, visibleRows))
	assert.Equal(t, []string{"http", "stdio"}, eval[[]string](b, `[...document.querySelectorAll("#view-requirements thead tr:last-child th")].filter(x => x.checkVisibility()).map(x => x.textContent)`))
	b.shoot("desktop-filtered")

	b.click(`[data-id="tools.unknown-tool"] td[data-v=fail]:not([hidden]) button`)
	b.until(openedDialog)
	detail := eval[string](b, `document.querySelector("dialog").innerText`)
	for _, part := range []string{
		"tools.unknown-tool at 2025-11-25 over http", "An unknown tool name gets a JSON-RPC error", "MUST",
		"error: required, but absent", `"name": "no-such-tool"`, "HTTP/1.1 200 OK", "curl -sS", "</script><img src=x",
	} {
		assert.Contains(t, detail, part)
	}
	assert.Equal(t, "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling",
		eval[string](b, `document.querySelector("dialog .clauses a").href`))
	b.shoot("desktop-evidence")

	b.click("dialog .ids button")
	b.until(`document.querySelectorAll("dialog .result").length === 7`)
	assert.Equal(t, "Close", eval[string](b, focusedLabel), "the other evidence has the focus")
	b.click("dialog .close")
	b.until("!" + openedDialog)
	b.click("#reset")
	b.until(`document.querySelector("#shown").textContent === "17 of 17 requirements shown"`)
}

// The same with no mouse: slash to search, Tab into the matrix, arrows to the cell, Enter, Escape.
func TestFindsTheFailingExchangeWithTheKeyboard(t *testing.T) {
	b := open(t, html(t, sample(t)), desktop, "")
	b.press("/")
	b.until(`document.activeElement.id === "search"`)
	b.press(strings.Split("unknown-tool", "")...)
	b.until(`document.querySelector("#shown").textContent === "1 of 17 requirements shown"`)

	for range 30 {
		b.press(kb.Tab)
		if eval[bool](b, `document.activeElement.closest("table.matrix") !== null`) {
			break
		}
		require.True(t, eval[bool](b, `getComputedStyle(document.activeElement).outlineStyle !== "none" ||
			getComputedStyle(document.activeElement.nextElementSibling || document.activeElement).outlineStyle !== "none"`),
			"the focus is visible at every stop")
	}
	assert.Contains(t, eval[string](b, focusedLabel), "tools.unknown-tool")
	b.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowRight)
	assert.Equal(t, "failed: 2025-11-25 over http", eval[string](b, focusedLabel))
	b.press(kb.End)
	assert.Equal(t, "passed: 2025-03-26 over http", eval[string](b, focusedLabel))
	b.press(kb.Home, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.Enter)
	b.until(openedDialog)
	assert.Contains(t, eval[string](b, `document.querySelector("dialog").innerText`), "error: required, but absent")
	assert.True(t, eval[bool](b, `document.querySelector("dialog").contains(document.activeElement)`), "the focus is in the dialog")

	b.press(kb.Escape)
	b.until("!" + openedDialog)
	assert.Equal(t, "failed: 2025-11-25 over http", eval[string](b, focusedLabel), "the focus is back on the cell")
	b.press(kb.Tab)
	assert.False(t, eval[bool](b, `document.activeElement.closest("table.matrix") !== null`), "one Tab leaves the matrix")
}

// On a phone nothing is wider than the screen, the evidence fills it, and what is touched is large enough for a finger.
func TestReadsOnAPhone(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := phone
			s.dark = dark
			b := open(t, html(t, sample(t)), s, "")
			fits := func() {
				assert.LessOrEqual(t, eval[int](b, `document.documentElement.scrollWidth`), int(s.width))
			}
			fits()
			b.shoot("phone-" + name)
			b.click("#filters summary")
			b.click(`[data-filter=verdict] .chip:has([value=fail])`)
			b.until(`document.querySelector("#shown").textContent.startsWith("3 of 17")`)
			fits()
			b.click(`[data-id="tools.unknown-tool"] td[data-v=fail] button`)
			b.until(openedDialog)
			fits()
			assert.Equal(t, int(s.width), eval[int](b, `document.querySelector("dialog").getBoundingClientRect().width`))
			b.shoot("phone-" + name + "-evidence")
			b.click("dialog .close")
			b.shoot("phone-" + name + "-matrix")
			assert.GreaterOrEqual(t, eval[float64](b, `Math.min(...[...document.querySelectorAll("table.matrix button")].filter(x => x.checkVisibility()).map(x => x.getBoundingClientRect().height))`), 24.0)
		})
	}
}

// A link to a piece of evidence opens it; one to nothing, or to nonsense, opens the report.
func TestOpensTheEvidenceThatAnAddressNames(t *testing.T) {
	page := html(t, sample(t))
	b := open(t, page, desktop, "#transcripts/tools%2Funknown-tool/2025-06-18/http")
	b.until(openedDialog)
	assert.Contains(t, eval[string](b, `document.querySelector("dialog h2").textContent`), "tools/unknown-tool at 2025-06-18 over http")
	assert.True(t, eval[bool](b, `document.querySelector("#views [value=transcripts]").checked`))
	b.press(kb.Escape)
	b.until(`document.activeElement.closest("table.matrix") !== null && location.hash === ""`)

	for _, fragment := range []string{"#requirements/no.such", "#%E0%A4%A", "#requirements/__proto__/constructor"} {
		b := open(t, page, desktop, fragment)
		b.until(`document.querySelector("#shown").textContent === "17 of 17 requirements shown"`)
		assert.False(t, eval[bool](b, openedDialog), fragment)
	}
}

// The view of transcripts also has what no requirement names, and the search looks into the evidence.
func TestSwitchesToTranscriptsAndSearchesEvidence(t *testing.T) {
	b := open(t, html(t, sample(t)), desktop, "")
	b.click("#views label:has([value=transcripts])")
	b.until(`document.querySelector("#shown").textContent === "14 of 14 transcripts shown"`)
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "onerror=alert"))
	b.until(`document.querySelector("#shown").textContent === "1 of 14 transcripts shown"`)
	assert.Equal(t, []string{"tools/unknown-tool"}, eval[[]string](b, visibleRows))
	b.do(chromedp.SendKeys(chromedp.CSS("#search"), "nowhere to be found"))
	b.until(`document.querySelector("#nothing").checkVisibility()`)
}

// A server that sends mark-up, scripts and control characters in every place gets them shown, and nothing of it runs:
// open requires of every page that no dialog, no request and no error came of it.
func TestShowsHostileTextAsText(t *testing.T) {
	const evil = "</script><script>alert(1)</script><img src=/x onerror=alert(2)>\"'`${alert(3)}<!--\u202e\x1b[31m\xff\u2028"
	r := sample(t)
	r.Target.Name, r.Target.Server.Name = evil, evil
	r.Known = append(r.Known, report.KnownProblem{Pattern: evil, Reason: evil, Problem: evil})
	res := &r.Results[0]
	res.Transcript, res.Area, res.Story, res.Reason, res.KnownReason = evil, evil, evil, evil, evil
	res.Verdict, res.Revision, res.Transport = report.Fail, evil, evil
	for i := range res.Steps {
		res.Steps[i] = report.Step{
			Label: evil, Kind: evil, Verdict: report.Fail, Requirements: []string{evil},
			Problem: evil, Sent: evil, Received: evil, Curl: evil,
		}
	}
	b := open(t, html(t, r), desktop, "")
	assert.Equal(t, 2, eval[int](b, `document.scripts.length`), "the data and the page's own script")
	for _, view := range []string{"requirements", "transcripts"} {
		b.click("#views label:has([value=" + view + "])")
		b.click("#view-" + view + " td[data-v=fail] button")
		b.until(openedDialog)
		detail := eval[string](b, `document.querySelector("dialog").innerText`)
		assert.Contains(t, detail, "<script>alert(1)</script>")
		assert.Contains(t, detail, "‹U+202E›‹U+001B›[31m‹0xFF›‹U+2028›")
		assert.Zero(t, eval[int](b, `document.images.length`))
		b.click("dialog .close")
	}
}

// Text stands out from what is behind it by 4.5 to 1 (WCAG 2.2, 1.4.3), in the page and in the evidence, dark and light.
func TestContrast(t *testing.T) {
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			s := desktop
			s.dark = dark
			b := open(t, html(t, sample(t)), s, "")
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
			assert.Empty(t, eval[[]string](b, lowContrast))
			b.shoot("desktop-" + name)
			b.click(`[data-id="tools.unknown-tool"] td[data-v=fail] button`)
			b.until(openedDialog)
			assert.Empty(t, eval[[]string](b, lowContrast))
			b.shoot("desktop-" + name + "-evidence")
			assert.Greater(t, eval[int](b, `document.querySelectorAll("dialog pre").length`), 2)
		})
	}
}

// lowContrast lists the texts in sight with less contrast than they need.
const lowContrast = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return rgba("white"); };
  const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => { const v = c[i] / 255; return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); }, 0);
  const low = [];
  for (const e of document.querySelectorAll(document.querySelector("dialog").open ? "dialog *" : "body *")) {
    if (!e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || e.closest(".unseen, .skip, script, noscript, option")) continue;
    const style = getComputedStyle(e);
    const ground = behind(e), ink = rgba(style.color), opacity = Number(style.opacity);
    const mixed = [0, 1, 2].map((i) => ink[i] * opacity + ground[i] * (1 - opacity));
    const [a, b] = [light(mixed), light(ground)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) low.push(ratio.toFixed(2) + " " + e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 30));
  }
  return [...new Set(low)];
})()`
