package server

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/protocol"
)

// Log sends the client a message, if it wants messages of that level. logger names the part of the server that speaks, and
// may be empty. data is anything that can be JSON, and must hold no secrets. What exceeds Limits.Logs is left out.
//
// Within a session the client sets its level, with Options.LogLevel until then (2025-11-25 server/utilities/logging).
// Without one, each request names its level, and none means silence (2026-07-28
// server/utilities/logging#per-request-log-level). The error says that level is none, that data cannot be JSON, or that the
// client is gone.
//
// The newest revision deprecates logging to the client (2026-07-28 deprecated).
func (c *Call) Log(level protocol.LogLevel, logger string, data any) error {
	if level.String() == "" {
		return fmt.Errorf("log message: %d is no level", level)
	}
	if !c.wants(level) {
		return nil
	}
	raw, err := json.Marshal(data, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("log message: %w", err)
	}
	return c.send(func() protocol.Notification {
		if !c.paced().log(c.server.options.Limits.Logs, level) {
			return nil
		}
		return &protocol.LogNotification{Level: level, Logger: logger, Data: raw}
	})
}

func (c *Call) wants(level protocol.LogLevel) bool {
	least := c.in.Meta.LogLevel
	if !c.in.Codec.Features().LogLevelPerRequest.Holds() {
		if least = c.in.LogLevel; c.in.Session == nil {
			return false // logging is not declared
		}
		if least == 0 {
			least = c.server.options.LogLevel
		}
	}
	return least != 0 && level >= least
}

func (s *Server) setLevel(ctx context.Context, c *Call, p *protocol.SetLevelParams) (protocol.Result, error) {
	if c.in.Session == nil {
		return nil, protocol.MethodNotFound(protocol.MethodSetLevel)
	}
	if err := c.in.Session.SetLevel(ctx, p.Level); err != nil {
		return nil, err
	}
	return &protocol.EmptyResult{}, nil
}
