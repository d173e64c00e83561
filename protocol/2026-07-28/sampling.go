package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func writeCreateMessage(w *wire.Writer, p *protocol.CreateMessageParams) {
	wire.Array(w, "messages", p.Messages, writeSamplingMessage)
	w.Int("maxTokens", p.MaxTokens)
	w.OptString("systemPrompt", p.SystemPrompt)
	wire.OptPart(w, "modelPreferences", p.Preferences, writeModelPreferences)
	w.OptString("includeContext", p.IncludeContext)
	w.OptFloat("temperature", p.Temperature)
	w.OptStrings("stopSequences", p.StopSequences)
	w.OptRaw("metadata", p.Metadata)
	wire.OptArray(w, "tools", p.Tools, writeTool)
	if p.ToolChoice != "" {
		w.Open("toolChoice")
		w.String("mode", p.ToolChoice)
		w.Close()
	}
}

func writeModelPreferences(w *wire.Writer, p *protocol.ModelPreferences) {
	wire.OptArray(w, "hints", p.Hints, func(w *wire.Writer, name string) { w.String("name", name) })
	w.OptFloat("costPriority", p.CostPriority)
	w.OptFloat("speedPriority", p.SpeedPriority)
	w.OptFloat("intelligencePriority", p.IntelligencePriority)
}

func writeSamplingMessage(w *wire.Writer, m protocol.SamplingMessage) {
	w.String("role", string(m.Role))
	if len(m.Content) == 1 {
		w.Open("content")
		writeSamplingContent(w, m.Content[0])
		w.Close()
	} else {
		wire.Array(w, "content", m.Content, writeSamplingContent)
	}
	w.OptMeta(m.Meta)
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
	case *protocol.ToolUse:
		w.String("type", "tool_use")
		w.String("id", c.ID)
		w.String("name", c.Name)
		w.Raw("input", c.Input)
		w.OptMeta(c.Meta)
	case *protocol.ToolResult:
		writeToolResult(w, c)
	default:
		w.Fail(protocol.ErrNotInRevision)
	}
}

func writeToolResult(w *wire.Writer, c *protocol.ToolResult) {
	w.String("type", "tool_result")
	w.String("toolUseId", c.ToolUseID)
	wire.Array(w, "content", c.Content, writeContent)
	w.OptRaw("structuredContent", c.Structured)
	w.OptBool("isError", c.IsError)
	w.OptMeta(c.Meta)
}

func readToolUse(o *wire.Object) protocol.Content {
	o.Require("input")
	return &protocol.ToolUse{ID: o.String("id"), Name: o.String("name"), Input: o.OptRawObject("input"), Meta: o.OptRawObject("_meta")}
}

func readToolResult(o *wire.Object) protocol.Content {
	o.Require("content")
	r := &protocol.ToolResult{
		ToolUseID:  o.String("toolUseId"),
		Structured: o.OptRaw("structuredContent"),
		IsError:    o.OptBool("isError"),
		Meta:       o.OptRawObject("_meta"),
	}
	o.Each("content", func(o *wire.Object) { r.Content = append(r.Content, readContent(o)) })
	return r
}

func decodeCreateMessageResult(o *wire.Object) protocol.Answer {
	r := &protocol.CreateMessageResult{
		Role:       protocol.Role(o.String("role")),
		Model:      o.String("model"),
		StopReason: o.OptString("stopReason"),
		Meta:       o.OptRawObject("_meta"),
	}
	o.EachOrOne("content", func(o *wire.Object) { r.Content = append(r.Content, readContent(o)) })
	return r
}
