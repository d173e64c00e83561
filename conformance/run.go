package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/parley-mcp/parley/conformance/drive"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
	"github.com/parley-mcp/parley/conformance/schema"
	"github.com/parley-mcp/parley/conformance/transcript"
)

// ErrUnreachable is returned by Run if nothing answers at the target, the command cannot be started, or what answers speaks
// none of the revisions.
var ErrUnreachable = errors.New("the target cannot be reached")

// Run tests a server and returns what it found. The error is of the run, not of the server: transcripts or options that are
// wrong, or ErrUnreachable. If ctx ends early, the report holds what was finished and says that it was interrupted.
func Run(ctx context.Context, target Target, options Options) (*report.Report, error) {
	started := time.Now()
	r, err := newRun(target, options)
	if err != nil {
		return nil, err
	}
	if r.options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.options.Timeout)
		defer cancel()
	}
	defer r.close()
	if err := r.probe(ctx); err != nil {
		return nil, err
	}
	jobs := r.jobs()
	r.work(ctx, jobs)
	out := r.report(started)
	out.Results = r.always(jobs)
	for _, j := range jobs {
		if j.finished {
			out.Results = append(out.Results, j.result)
		} else {
			out.Interrupted = true
		}
	}
	if err := r.rewrite(jobs); err != nil {
		return nil, err
	}
	out.Set = r.setOf(out.Results)
	out.Known = applyKnown(r.options, out.Results, out.Interrupted)
	out.ElapsedMs = time.Since(started).Milliseconds()
	return out, nil
}

// rewrite hands over the transcripts whose steps failed.
func (r *run) rewrite(jobs []*job) error {
	done := map[string]bool{}
	for _, j := range jobs {
		if r.options.Rewrite == nil || len(j.came) == 0 || done[j.t.Name] {
			continue
		}
		done[j.t.Name] = true
		if err := r.options.Rewrite(j.t, j.t.Rewrite(j.came)); err != nil {
			return err
		}
	}
	return nil
}

// Version is how the harness names itself in reports.
func Version() report.Software {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return report.Software{Name: "parley", Version: version}
}

// run is one run against one server.
type run struct {
	server  *server
	options Options
	worlds  map[column]*world
	schemas map[string]*schema.Schema
	pool    pool
	alone   sync.RWMutex // held for writing by a transcript that runs alone
}

type column struct{ transport, revision string }

// A world is what a server is at one revision over one transport.
type world struct {
	inventory inventory
	spoken    bool
	why       string // it is not spoken
}

func newRun(target Target, options Options) (*run, error) {
	s, err := newServer(target)
	if err != nil {
		return nil, err
	}
	o, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(o.chosen()) == 0 {
		return nil, errors.New("no transcript is chosen: nothing has the name, or proves the requirement")
	}
	r := &run{server: s, options: o, worlds: map[column]*world{}, schemas: map[string]*schema.Schema{}}
	for _, v := range revision.Versions() {
		if o.noSchema {
			break
		}
		if r.schemas[v], err = schema.For(v); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *run) close() { r.pool.close() }

func (r *run) revisions() []revision.Facts {
	return slices.DeleteFunc(revision.All(), func(f revision.Facts) bool {
		return len(r.options.Revisions) > 0 && !slices.Contains(r.options.Revisions, f.Version)
	})
}

// StartTimeout bounds the wait for the first answer: a server may have to be fetched, built or warmed up.
const StartTimeout = 60 * time.Second

// probe finds out which revisions the server speaks over which transport, and what it has there. It begins with a handshake,
// which every server answers in some way.
func (r *run) probe(ctx context.Context) error {
	order := r.revisions()
	slices.SortStableFunc(order, func(a, b revision.Facts) int { return boolCompare(b.Handshake, a.Handshake) })
	var reasons []error
	spoken := false
	for _, transport := range r.server.transports() {
		for i, facts := range order {
			o := r.options
			if i == 0 {
				o.StepTimeout = max(o.StepTimeout, StartTimeout)
			}
			began := time.Now()
			w, err := r.visit(ctx, o, transport, facts)
			if i == 0 && transport != transportHTTP {
				r.options.starting = min(time.Since(began), StartTimeout)
			}
			if ctx.Err() != nil {
				return nil // the report will say that the run was interrupted
			}
			r.worlds[column{transport, facts.Version}] = w
			spoken = spoken || w.spoken
			if err != nil {
				return fmt.Errorf("%w over %s: %w", ErrUnreachable, transport, err)
			}
			if !w.spoken {
				reasons = append(reasons, fmt.Errorf("%s over %s: %s", facts.Version, transport, w.why))
			}
		}
	}
	for _, transport := range r.server.transports() {
		r.markModern(transport)
	}
	if !spoken {
		return fmt.Errorf("%w: it speaks no revision that is tested:\n%w", ErrUnreachable, errors.Join(reasons...))
	}
	return nil
}

// markModern tells the worlds of a transport whether every revision with a handshake was tried, and none is spoken.
func (r *run) markModern(transport string) {
	for _, facts := range revision.All() {
		if w := r.worlds[column{transport, facts.Version}]; facts.Handshake && (w == nil || w.spoken) {
			return
		}
	}
	for c, w := range r.worlds {
		w.inventory.modern = c.transport == transport || w.inventory.modern
	}
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (r *run) visit(ctx context.Context, o Options, transport string, facts revision.Facts) (*world, error) {
	w := &world{}
	conn, err := r.server.connect(ctx, transport)
	if err != nil {
		w.why = err.Error()
		return w, err
	}
	defer r.pool.discard(conn)
	p := newPlayer(r.server, o, &transcript.Transcript{Opens: true}, facts, transport, conn)
	w.spoken, w.why, err = p.speaks(ctx)
	w.inventory = *p.inventory
	return w, err
}

// report begins the report with what was found out about the target.
func (r *run) report(started time.Time) *report.Report {
	out := &report.Report{Format: report.Format, Tool: Version(), Started: started.UTC(),
		Target: report.Target{Name: r.server.name, Revisions: map[string][]string{}}}
	for _, transport := range r.server.transports() {
		spoken := []string{}
		for _, facts := range r.revisions() {
			if w := r.worlds[column{transport, facts.Version}]; w != nil && w.spoken {
				spoken = append(spoken, facts.Version)
				if out.Target.Server.Name == "" {
					out.Target.Server = w.inventory.server
				}
			}
		}
		out.Target.Revisions[transport] = spoken
	}
	return out
}

// work runs jobs side by side until all are done or ctx ends.
func (r *run) work(ctx context.Context, jobs []*job) {
	queue := make(chan *job)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(r.options.Parallel, max(len(jobs), 1)) {
		workers.Go(func() {
			for j := range queue {
				j.do(ctx, r)
				if !j.finished || r.options.Progress == nil {
					continue
				}
				mu.Lock()
				done++
				r.options.Progress(done, len(jobs), j.result)
				mu.Unlock()
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
}

// pool keeps processes that the next conversation may use, and closes what is no longer needed.
type pool struct {
	mu      sync.Mutex
	idle    map[column][]drive.Conn
	closing sync.WaitGroup
}

func (p *pool) take(c column) drive.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	for list := p.idle[c]; len(list) > 0; list = p.idle[c] {
		conn := list[len(list)-1]
		p.idle[c] = list[:len(list)-1]
		if process, ok := conn.(*drive.Process); !ok || !process.Ended() {
			return conn
		}
		p.discard(conn)
	}
	return nil
}

func (p *pool) keep(c column, conn drive.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.idle == nil {
		p.idle = map[column][]drive.Conn{}
	}
	p.idle[c] = append(p.idle[c], conn)
}

// discard closes a connection without waiting: a process may take its time.
func (p *pool) discard(conn drive.Conn) { p.closing.Go(conn.Close) }

func (p *pool) close() {
	p.mu.Lock()
	for _, list := range p.idle {
		for _, conn := range list {
			p.discard(conn)
		}
	}
	p.idle = nil
	p.mu.Unlock()
	p.closing.Wait()
}
