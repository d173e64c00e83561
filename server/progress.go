package server

import (
	"context"
	"fmt"
	"math"

	"github.com/parley-mcp/parley/protocol"
)

// Progress says how far a call is.
type Progress struct {
	// Done rises with each report. Total is what Done will be at the end, or zero if that is not known.
	Done, Total float64
	// Message says what is going on; optional.
	Message string
}

// Progress tells the client how far the call is, if it wants to know. A report that does not rise above the one before is
// not sent (2025-11-25 basic/utilities/progress#progress-flow). One that exceeds Limits.Progress waits, until the answer at the
// latest, and gives way to the next. The error says that a number cannot be sent, or that the client is gone. Within a task,
// Message becomes what its status says, whether the client wants to know or not, and the error also says that the task is over.
func (c *Call) Progress(p Progress) error {
	for _, n := range []float64{p.Done, p.Total} {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return fmt.Errorf("progress: %v is not a number that can be sent", n)
		}
	}
	if t := c.task(); t != nil {
		t.describe(p.Message)
		if err := context.Cause(c.life()); err != nil {
			return err
		}
	}
	if c.in.Meta.ProgressToken == nil {
		return nil
	}
	return c.send(func() protocol.Notification {
		if c.reported && !(p.Done > c.progress) {
			return nil
		}
		c.reported, c.progress = true, p.Done
		n := &protocol.ProgressNotification{Token: c.in.Meta.ProgressToken, Progress: p.Done, Message: p.Message}
		if p.Total != 0 {
			n.Total = &p.Total
		}
		if !c.paced().report(c.server.options.Limits.Progress, n, c.reportHeld) {
			return nil
		}
		return n
	})
}

// reportHeld sends the report whose turn has come.
func (c *Call) reportHeld() {
	_ = c.send(func() protocol.Notification { // nobody is there to hear that the client is gone
		if n := c.paced().take(); n != nil {
			return n
		}
		return nil
	})
}
