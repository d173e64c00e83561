package server

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/parley-mcp/parley/protocol"
)

// Limits bound how often a client may ask for what costs the server, and how often it is told something before an answer.
// The zero value has the defaults named below.
type Limits struct {
	// Tools and Completions bound calls of tools, together with requests about their tasks, and completions (2025-11-25
	// server/tools#security-considerations, basic/utilities/tasks#task-isolation-and-access-control,
	// server/utilities/completion#security). Each principal has its own bound, and so has each session of clients that no
	// principal names. All others share one: by default it is none, because they cannot be told apart, and one of them
	// would use up what the others need. Whoever has a bound of its own has 1,000 a second by default, 2,000 at once: no
	// client that means well gets there. What exceeds a bound is answered with a RateError.
	Tools, Completions Rate
	// Logs and Progress bound the log messages and the reports of progress within one call (server/utilities/logging#security,
	// basic/utilities/progress#implementation-notes). Log messages in excess are left out, and the client is told how
	// many before the answer; by default 50 a second, 100 at once. A report in excess waits for its turn, or for the answer,
	// and gives way to one that is made meanwhile; by default 20 a second, 20 at once.
	Logs, Progress Rate
}

// A Rate is how often something may happen. The zero value is a default.
type Rate struct {
	// PerSecond is how often in the long run; math.Inf(1) is no bound.
	PerSecond float64
	// Burst is how often at once; PerSecond, rounded up, if zero.
	Burst int
}

// Unlimited is a Rate without a bound.
var Unlimited = Rate{PerSecond: math.Inf(1)}

var (
	defaultRequests = Rate{PerSecond: 1000, Burst: 2000}
	defaultLogs     = Rate{PerSecond: 50, Burst: 100}
	defaultProgress = Rate{PerSecond: 20, Burst: 20}
)

// A RateError says that a client asks too often. From a handler or a middleware it becomes, for a call of a tool, a result
// with IsError, so that the model reads when to come back; for any other method an error with code 429 and the milliseconds
// in data.retryAfterMs. A middleware sees it before that, and can count it.
type RateError struct {
	// RetryAfter is when to ask again at the earliest.
	RetryAfter time.Duration
}

// Error says when to ask again.
func (e *RateError) Error() string {
	return fmt.Sprintf("too many requests: try again in %v", time.Duration(e.milliseconds())*time.Millisecond)
}

// milliseconds are rounded up, so that whoever waits that long has waited long enough.
func (e *RateError) milliseconds() int64 {
	return int64(math.Ceil(float64(e.RetryAfter) / float64(time.Millisecond)))
}

// tooOften turns a RateError into what the client is told; any other error stays.
func tooOften(c *Call, err error) (protocol.Result, error) {
	var busy *RateError
	if errors.As(err, &busy) {
		return busy.answer(c.in.Params)
	}
	return nil, err
}

// tooManyRequests is the code of a RateError: HTTP's, since neither JSON-RPC nor MCP has one.
const tooManyRequests = 429

// answer is what a client is told.
func (e *RateError) answer(p protocol.Params) (protocol.Result, error) {
	if _, tool := p.(*protocol.CallToolParams); tool {
		return toolError(e), nil
	}
	return nil, &protocol.Error{
		Kind: protocol.KindApplication, Code: tooManyRequests, Message: e.Error(),
		Data: jsontext.Value(fmt.Sprintf(`{"retryAfterMs":%d}`, e.milliseconds())),
	}
}

// check completes l, or says what is wrong with it.
func (l *Limits) check() error {
	for _, r := range []*Rate{&l.Tools, &l.Completions, &l.Logs, &l.Progress} {
		switch {
		case *r == Rate{}:
		case !(r.PerSecond > 0) || r.Burst < 0:
			return errors.New("server: Options.Limits has a Rate whose PerSecond is not positive, or whose Burst is negative")
		case r.Burst == 0:
			r.Burst = int(min(math.Ceil(r.PerSecond), math.MaxInt32))
		}
	}
	if l.Logs == (Rate{}) {
		l.Logs = defaultLogs
	}
	if l.Progress == (Rate{}) {
		l.Progress = defaultProgress
	}
	return nil
}

func (r Rate) limiter() *rate.Limiter {
	if math.IsInf(r.PerSecond, 1) {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(r.PerSecond), r.Burst)
}

// maxCounted is of how many clients a throttle keeps count, give or take. Whom it forgets begins anew.
const maxCounted = 10_000

// A throttle bounds the requests of each client. Nil bounds nothing.
type throttle struct {
	rate Rate
	// together: those who cannot be told apart have a bound, too.
	together bool
	seed     maphash.Seed
	// clients are divided, so that clients do not wait for one another.
	clients [32]*lru.Cache[asker, *rate.Limiter]
}

// An asker is whose requests count together.
type asker struct{ principal, session string }

func newThrottle(r Rate) *throttle {
	if math.IsInf(r.PerSecond, 1) {
		return nil
	}
	t := &throttle{rate: r, together: r != Rate{}, seed: maphash.MakeSeed()}
	if !t.together {
		t.rate = defaultRequests
	}
	for i := range t.clients {
		t.clients[i], _ = lru.New[asker, *rate.Limiter](maxCounted / len(t.clients)) // fails for sizes below one alone
	}
	return t
}

// limiter returns whose count that is.
func (t *throttle) limiter(who asker) *rate.Limiter {
	clients := t.clients[maphash.Comparable(t.seed, who)%uint64(len(t.clients))]
	l, ok := clients.Get(who)
	if !ok {
		l = t.rate.limiter()
		if earlier, found, _ := clients.PeekOrAdd(who, l); found {
			l = earlier
		}
	}
	return l
}

// pass returns a RateError for a request that comes too early.
func (t *throttle) pass(in *Incoming) error {
	if t == nil {
		return nil
	}
	who := asker{principal: in.Principal}
	if who.principal == "" {
		who.session = in.SessionID
	}
	if who == (asker{}) && !t.together {
		return nil
	}
	l := t.limiter(who)
	if l.Allow() {
		return nil
	}
	next := l.Reserve()
	defer next.Cancel()
	return &RateError{RetryAfter: next.Delay()}
}
