package revisions_test

import (
	"slices"
	"testing"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// roundTrips says how the examples of each definition are read and said again.
var roundTrips = map[string]roundTrip{
	// Content.
	"TextContent":          sent(content, "content", 0),
	"ImageContent":         sent(content, "content", 0),
	"AudioContent":         sent(content, "content", 0),
	"ResourceLink":         sent(content, "content", 0),
	"EmbeddedResource":     sent(content, "content", 0),
	"TextResourceContents": sent(contentsOf, "contents", 0),
	"BlobResourceContents": sent(contentsOf, "contents", 0),

	// What lists hold.
	"Tool": sent(func(o *wire.Object) protocol.Outgoing {
		return &protocol.ListToolsResult{Tools: []*protocol.Tool{readSomeTool(o)}}
	}, "tools", 0),
	"Resource": sent(func(o *wire.Object) protocol.Outgoing {
		return &protocol.ListResourcesResult{Resources: []*protocol.Resource{readSomeResource(o)}}
	}, "resources", 0),
	"ServerCapabilities": sent(func(o *wire.Object) protocol.Outgoing {
		return &protocol.DiscoverResult{Capabilities: readServerCapabilities(o)}
	}, "capabilities"),

	// Results, alone and in their responses.
	"CallToolResult":                      sent(callResult),
	"CallToolResultResponse":              within("result", sent(callResult)),
	"CompleteResult":                      sent(completeResult),
	"CompleteResultResponse":              within("result", sent(completeResult)),
	"DiscoverResult":                      sent(discoverResult),
	"DiscoverResultResponse":              within("result", sent(discoverResult)),
	"GetPromptResult":                     sent(promptResult),
	"GetPromptResultResponse":             within("result", sent(promptResult)),
	"InputRequiredResult":                 sent(inputRequired),
	"ListPromptsResult":                   sent(promptsResult),
	"ListPromptsResultResponse":           within("result", sent(promptsResult)),
	"ListResourceTemplatesResult":         sent(templatesResult),
	"ListResourceTemplatesResultResponse": within("result", sent(templatesResult)),
	"ListResourcesResult":                 sent(resourcesResult),
	"ListResourcesResultResponse":         within("result", sent(resourcesResult)),
	"ListToolsResult":                     sent(toolsResult),
	"ListToolsResultResponse":             within("result", sent(toolsResult)),
	"ReadResourceResult":                  sent(readResult),
	"ReadResourceResultResponse":          within("result", sent(readResult)),
	"SubscriptionsListenResult":           sent(listenResult),
	"SubscriptionsListenResultResponse":   within("result", sent(listenResult)),

	// Notifications.
	"CancelledNotification":                 within("params", both(sent(cancelled), receivedNotification(protocol.NotificationCancelled))),
	"CancelledNotificationParams":           both(sent(cancelled), receivedNotification(protocol.NotificationCancelled)),
	"LoggingMessageNotification":            within("params", sent(logMessage)),
	"LoggingMessageNotificationParams":      sent(logMessage),
	"ProgressNotification":                  within("params", sent(progress)),
	"ProgressNotificationParams":            sent(progress),
	"PromptListChangedNotification":         within("params", sent(promptsChanged)),
	"ResourceListChangedNotification":       within("params", sent(resourcesChanged)),
	"ToolListChangedNotification":           within("params", sent(toolsChanged)),
	"ResourceUpdatedNotification":           within("params", sent(resourceUpdated)),
	"ResourceUpdatedNotificationParams":     sent(resourceUpdated),
	"SubscriptionsAcknowledgedNotification": within("params", sent(acknowledged)),

	// Questions.
	"CreateMessageRequest":       sent(question, "inputRequests", "q"),
	"CreateMessageRequestParams": sent(func(o *wire.Object) protocol.Outgoing { return readSampling(o) }),
	"ElicitRequest":              sent(question, "inputRequests", "q"),
	"ElicitRequestFormParams":    sent(func(o *wire.Object) protocol.Outgoing { return readElicitation(o) }),
	"ElicitRequestURLParams":     sent(func(o *wire.Object) protocol.Outgoing { return readElicitation(o) }),
	"ListRootsRequest":           sent(question, "inputRequests", "q"),
	"InputRequests":              inputRequests,
	"ModelPreferences": func(t *testing.T, raw []byte) any {
		wrapped := slices.Concat([]byte(`{"messages":[],"maxTokens":1,"modelPreferences":`), raw, []byte(`}`))
		return sent(func(o *wire.Object) protocol.Outgoing { return readSampling(o) }, "modelPreferences")(t, wrapped)
	},
	"SamplingMessage": sent(func(o *wire.Object) protocol.Outgoing {
		return &protocol.CreateMessageParams{Messages: []protocol.SamplingMessage{readSamplingMessage(o)}}
	}, "messages", 0),
	"ToolUseContent":    sent(samplingContent, "messages", 0, "content"),
	"ToolResultContent": sent(samplingContent, "messages", 0, "content"),

	// Form fields.
	"BooleanSchema":                  sent(field, "requestedSchema", "properties", "x"),
	"NumberSchema":                   sent(field, "requestedSchema", "properties", "x"),
	"StringSchema":                   sent(field, "requestedSchema", "properties", "x"),
	"TitledMultiSelectEnumSchema":    sent(field, "requestedSchema", "properties", "x"),
	"TitledSingleSelectEnumSchema":   sent(field, "requestedSchema", "properties", "x"),
	"UntitledMultiSelectEnumSchema":  sent(field, "requestedSchema", "properties", "x"),
	"UntitledSingleSelectEnumSchema": sent(field, "requestedSchema", "properties", "x"),

	// Errors, alone and in their responses.
	"InternalError":                        failed(protocol.KindInternal),
	"InvalidParamsError":                   failed(protocol.KindInvalidParams),
	"MethodNotFoundError":                  failed(protocol.KindMethodNotFound),
	"HeaderMismatchError":                  within("error", failed(protocol.KindHeaderMismatch)),
	"MissingRequiredClientCapabilityError": within("error", failed(protocol.KindMissingCapability)),
	"UnsupportedProtocolVersionError":      within("error", failed(protocol.KindUnsupportedVersion)),

	// Requests, and their params alone.
	"CallToolRequest":              within("params", received(protocol.MethodToolsCall)),
	"CallToolRequestParams":        received(protocol.MethodToolsCall),
	"CompleteRequest":              within("params", received(protocol.MethodComplete)),
	"CompleteRequestParams":        received(protocol.MethodComplete),
	"DiscoverRequest":              within("params", received(protocol.MethodDiscover)),
	"GetPromptRequest":             within("params", received(protocol.MethodPromptsGet)),
	"GetPromptRequestParams":       received(protocol.MethodPromptsGet),
	"ListPromptsRequest":           within("params", received(protocol.MethodPromptsList)),
	"ListResourceTemplatesRequest": within("params", received(protocol.MethodResourceTemplatesList)),
	"ListResourcesRequest":         within("params", received(protocol.MethodResourcesList)),
	"ListToolsRequest":             within("params", received(protocol.MethodToolsList)),
	"PaginatedRequestParams":       received(protocol.MethodToolsList),
	"ReadResourceRequest":          within("params", received(protocol.MethodResourcesRead)),
	"SubscriptionsListenRequest":   within("params", received(protocol.MethodListen)),

	// What else a client sends.
	"ClientCapabilities":  clientCapabilities,
	"CreateMessageResult": answered(&protocol.CreateMessageParams{}),
	"ElicitResult":        answered(&protocol.ElicitParams{}),
	"InputResponses":      inputResponses,
	"ListRootsResult":     answered(&protocol.ListRootsParams{}),
	"Root":                root,
}

func samplingContent(o *wire.Object) protocol.Outgoing {
	return &protocol.CreateMessageParams{Messages: []protocol.SamplingMessage{{Content: []protocol.Content{readSomeContent(o)}}}}
}
