package rev20250326

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// writeCreateMessage: a model has no tools here.
func writeCreateMessage(w *wire.Writer, p *protocol.CreateMessageParams) {
	if len(p.Tools) > 0 || p.ToolChoice != "" {
		w.Fail(protocol.ErrNotInRevision)
	}
	w.OpenArray("messages")
	for _, m := range p.Messages {
		writeSamplingMessage(w, m)
	}
	w.CloseArray()
	w.Int("maxTokens", p.MaxTokens)
	w.OptString("systemPrompt", p.SystemPrompt)
	wire.OptPart(w, "modelPreferences", p.Preferences, writeModelPreferences)
	w.OptString("includeContext", p.IncludeContext)
	w.OptFloat("temperature", p.Temperature)
	w.OptStrings("stopSequences", p.StopSequences)
	w.OptRaw("metadata", p.Metadata)
}

func writeModelPreferences(w *wire.Writer, p *protocol.ModelPreferences) {
	wire.OptArray(w, "hints", p.Hints, func(w *wire.Writer, name string) { w.String("name", name) })
	w.OptFloat("costPriority", p.CostPriority)
	w.OptFloat("speedPriority", p.SpeedPriority)
	w.OptFloat("intelligencePriority", p.IntelligencePriority)
}

// writeSamplingMessage: a message has one block here, and so one of several blocks becomes several messages
// (schema#samplingmessage).
func writeSamplingMessage(w *wire.Writer, m protocol.SamplingMessage) {
	for _, c := range m.Content {
		w.Open("")
		w.String("role", string(m.Role))
		w.Open("content")
		writeSamplingContent(w, c)
		w.Close()
		w.Close()
	}
}

// writeSamplingContent writes a block of a message for a model, which knows no resources.
func writeSamplingContent(w *wire.Writer, c protocol.Content) {
	switch c := c.(type) {
	case *protocol.TextContent:
		writeText(w, c)
	case *protocol.ImageContent:
		writeImage(w, c)
	case *protocol.AudioContent:
		writeAudio(w, c)
	default:
		w.Fail(protocol.ErrNotInRevision)
	}
}

func decodeCreateMessageResult(o *wire.Object) protocol.Answer {
	return &protocol.CreateMessageResult{
		Role:       protocol.Role(o.String("role")),
		Model:      o.String("model"),
		StopReason: o.OptString("stopReason"),
		Meta:       o.OptRawObject("_meta"),
		Content:    []protocol.Content{readContent(o.Object("content"))},
	}
}
