package server

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/time/rate"

	"github.com/parley-mcp/parley/protocol"
)

// A pace keeps what a call says before its answer within Limits. It belongs to its Call, whose lock guards it.
type pace struct {
	logs, progress *rate.Limiter
	// leftOut counts log messages that were too many; worst is the highest of their levels.
	leftOut int
	worst   protocol.LogLevel
	// held is the report that waits for its turn; timer sends it.
	held  *protocol.ProgressNotification
	timer *time.Timer
}

// log lets a message pass, or counts it.
func (p *pace) log(r Rate, level protocol.LogLevel) bool {
	if p.logs == nil {
		p.logs = r.limiter()
	}
	if p.logs.Allow() {
		return true
	}
	p.leftOut++
	p.worst = max(p.worst, level)
	return false
}

// report lets a report pass, or holds it until its turn, when due is called.
func (p *pace) report(r Rate, n *protocol.ProgressNotification, due func()) bool {
	if p.held != nil {
		p.held = n
		return false
	}
	if p.progress == nil {
		p.progress = r.limiter()
	}
	wait := p.progress.Reserve().Delay()
	if wait == 0 {
		return true
	}
	p.held, p.timer = n, time.AfterFunc(wait, due)
	return false
}

// take returns what was held, and holds it no more.
func (p *pace) take() *protocol.ProgressNotification {
	n := p.held
	p.held = nil
	return n
}

// end returns what is still to be said before the answer: the report that is held, and of the messages left out how many.
func (p *pace) end() (last []protocol.Notification) {
	if p.timer != nil {
		p.timer.Stop()
	}
	if n := p.take(); n != nil {
		last = append(last, n)
	}
	if p.leftOut > 0 {
		data, _ := jsontext.AppendQuote(nil, fmt.Sprintf("%d log messages were left out: there were too many at once", p.leftOut))
		last = append(last, &protocol.LogNotification{Level: p.worst, Data: data})
	}
	return last
}
