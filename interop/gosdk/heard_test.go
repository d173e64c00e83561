package gosdk

//lint:file-ignore SA1019 logging, sampling and roots are deprecated, and a server must still offer them to the revisions that have them

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the server says to a client's handlers, by kind.
const (
	logged         = "log message"
	progressed     = "progress"
	elicited       = "elicitation"
	sampled        = "sampling"
	acknowledged   = "acknowledgment of a subscription"
	toolsChanged   = "change of the tools"
	promptsChanged = "change of the prompts"
	updated        = "update of a resource"
)

// patience is how long a test waits for something that the server must say.
const patience = 10 * time.Second

// heard is what the handlers of one client were told, in words. Its zero value is ready for use.
type heard struct {
	mu    sync.Mutex
	words map[string][]string
	more  chan struct{} // closed when there are more words
}

func (h *heard) add(kind, words string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.words == nil {
		h.words = map[string][]string{}
	}
	h.words[kind] = append(h.words[kind], words)
	if h.more != nil {
		close(h.more)
		h.more = nil
	}
}

// of returns the words of one kind so far, and a channel that is closed when there are more of any.
func (h *heard) of(kind string) ([]string, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.more == nil {
		h.more = make(chan struct{})
	}
	return slices.Clone(h.words[kind]), h.more
}

// await waits until the client has been told n things of a kind, and returns them: the client hands out a result without
// waiting for the handlers of what came before it.
func (v *visit) await(kind string, n int) []string {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	for {
		words, more := v.heard.of(kind)
		if len(words) >= n {
			return words
		}
		select {
		case <-more:
		case <-ctx.Done():
			v.Fatalf("%d × %s instead of %d: %q", len(words), kind, n, words)
		}
	}
}

// count is how many things of a kind the client has been told.
func (v *visit) count(kind string) int {
	words, _ := v.heard.of(kind)
	return len(words)
}

// handlers are those of a client that can do everything.
func (v *visit) handlers() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ElicitationHandler:   v.elicit,
		CreateMessageHandler: v.sample,
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			v.heard.add(logged, fmt.Sprint(r.Params.Data))
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			v.heard.add(progressed, fmt.Sprint(r.Params.Progress))
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			v.heard.add(toolsChanged, "")
		},
		PromptListChangedHandler: func(context.Context, *mcp.PromptListChangedRequest) {
			v.heard.add(promptsChanged, "")
		},
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			v.heard.add(updated, r.Params.URI)
		},
	}
}

// acknowledgments hears what the client has no handler for: that the server has taken a subscription.
func (v *visit) acknowledgments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method == "notifications/subscriptions/acknowledged" {
			v.heard.add(acknowledged, "")
		}
		return next(ctx, method, r)
	}
}
