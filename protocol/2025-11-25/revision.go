// Package rev20251125 is the vocabulary of the revision 2025-11-25.
package rev20251125

import (
	"net/http"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// Codec speaks 2025-11-25.
var Codec protocol.Codec = &wire.Codec{
	Facts: protocol.Features{
		Revision:               "2025-11-25",
		Lifecycle:              protocol.Handshake,
		Batching:               protocol.No,
		VersionHeader:          protocol.Yes,
		MirroredHeaders:        protocol.No,
		ServerRequests:         protocol.Yes,
		StandaloneStream:       protocol.Yes,
		Resumption:             protocol.Yes,
		PrimingEvent:           protocol.Yes,
		DisconnectCancels:      protocol.No,
		LogLevelPerRequest:     protocol.No,
		ArgumentErrorsInResult: protocol.Yes,
		TasksOnRequest:         protocol.Yes,
		TasksByServer:          protocol.No,
		ErrorStatus:            errorStatus,
	},
	Requests: map[string]wire.Decoder{
		protocol.MethodInitialize:            decodeInitialize,
		protocol.MethodPing:                  wire.Empty[protocol.PingParams](),
		protocol.MethodToolsList:             decodeListTools,
		protocol.MethodToolsCall:             decodeCallTool,
		protocol.MethodResourcesList:         decodeListResources,
		protocol.MethodResourceTemplatesList: decodeListResourceTemplates,
		protocol.MethodResourcesRead:         decodeReadResource,
		protocol.MethodResourcesSubscribe:    decodeSubscribe,
		protocol.MethodResourcesUnsubscribe:  decodeUnsubscribe,
		protocol.MethodPromptsList:           decodeListPrompts,
		protocol.MethodPromptsGet:            decodeGetPrompt,
		protocol.MethodComplete:              decodeComplete,
		protocol.MethodSetLevel:              decodeSetLevel,
		protocol.MethodTasksGet:              decodeGetTask,
		protocol.MethodTasksResult:           decodeTaskResult,
		protocol.MethodTasksList:             decodeListTasks,
		protocol.MethodTasksCancel:           decodeCancelTask,
	},
	Notifications: map[string]wire.Decoder{
		protocol.NotificationInitialized:      wire.Empty[protocol.InitializedParams](),
		protocol.NotificationCancelled:        decodeCancelled,
		protocol.NotificationProgress:         decodeProgress,
		protocol.NotificationRootsListChanged: wire.Empty[protocol.RootsListChangedParams](),
	},
	Answers: map[string]func(*wire.Object) protocol.Answer{
		protocol.MethodPing:          func(*wire.Object) protocol.Answer { return &protocol.EmptyResult{} },
		protocol.MethodElicit:        decodeElicitResult,
		protocol.MethodCreateMessage: decodeCreateMessageResult,
		protocol.MethodRootsList:     decodeListRootsResult,
	},
	Meta:   decodeMeta,
	Encode: encode,
	Errors: encodeError,
}

// errorStatus: a JSON-RPC error is an answer like any other; 404 would say that the session is gone
// (basic/transports#session-management).
func errorStatus(int) int { return http.StatusOK }

// encode writes what a server of this revision can say.
func encode(w *wire.Writer, v protocol.Outgoing) {
	switch v := v.(type) {
	case *protocol.InitializeResult:
		writeInitializeResult(w, v)
	case *protocol.EmptyResult:
		w.OptMeta(v.Meta)
	case *protocol.ListToolsResult:
		writeListTools(w, v)
	case *protocol.CallToolResult:
		writeCallToolResult(w, v)
	case *protocol.ListResourcesResult:
		writeListResources(w, v)
	case *protocol.ListResourceTemplatesResult:
		writeListResourceTemplates(w, v)
	case *protocol.ReadResourceResult:
		writeReadResource(w, v)
	case *protocol.ListPromptsResult:
		writeListPrompts(w, v)
	case *protocol.GetPromptResult:
		writeGetPrompt(w, v)
	case *protocol.CompleteResult:
		writeComplete(w, v)
	case *protocol.CreateTaskResult:
		writeCreateTaskResult(w, v)
	case *protocol.GetTaskResult:
		writeTask(w, &v.Task)
		w.OptMeta(v.Meta)
	case *protocol.TaskResult:
		writeCallResult(w, v.Result, v.ID)
	case *protocol.ListTasksResult:
		writeListTasks(w, v)
	case *protocol.CancelTaskResult:
		writeTask(w, &v.Task)
		w.OptMeta(v.Meta)
	case *protocol.CancelledNotification:
		writeCancelled(w, v)
	case *protocol.ProgressNotification:
		writeProgress(w, v)
	case *protocol.LogNotification:
		writeLog(w, v)
	case *protocol.ToolsListChangedNotification:
		w.OptMeta(v.Meta)
	case *protocol.PromptsListChangedNotification:
		w.OptMeta(v.Meta)
	case *protocol.ResourcesListChangedNotification:
		w.OptMeta(v.Meta)
	case *protocol.ResourceUpdatedNotification:
		writeResourceUpdated(w, v)
	case *protocol.ElicitationCompleteNotification:
		writeElicitationComplete(w, v)
	case *protocol.Tracked:
		encode(w, v.Question)
		writeTracking(w, v)
	case *protocol.PingParams:
	case *protocol.ElicitParams:
		writeElicit(w, v)
	case *protocol.CreateMessageParams:
		writeCreateMessage(w, v)
	case *protocol.ListRootsParams:
	default:
		w.Fail(protocol.ErrNotInRevision)
	}
}
