package browser

import (
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/stretchr/testify/assert"
)

// problems collects what a page must never cause: errors, refusals by its own security policy, dialogs of an injected
// script, and requests for anything but itself.
type problems struct {
	self string

	mu    sync.Mutex
	found []string
}

func (p *problems) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.add("exception: " + e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		p.add("console: " + string(e.Type))
	case *log.EventEntryAdded:
		p.add("log: " + e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		p.add("dialog: " + e.Message)
	case *network.EventRequestWillBeSent:
		url, _, _ := strings.Cut(e.Request.URL, "#")
		if url != p.self && !strings.HasPrefix(url, "data:") {
			p.add("request: " + url)
		}
	}
}

func (p *problems) add(problem string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found = append(p.found, problem)
}

func (p *problems) none(t *testing.T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	assert.Empty(t, p.found)
}
