// Package rev20260728 is the vocabulary of the revision 2026-07-28.
package rev20260728

import (
	"net/http"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// Codec speaks 2026-07-28.
var Codec protocol.Codec = &wire.Codec{
	Facts: protocol.Features{
		Revision:               "2026-07-28",
		Lifecycle:              protocol.PerRequest,
		Batching:               protocol.No,
		VersionHeader:          protocol.Yes,
		MirroredHeaders:        protocol.Yes,
		ServerRequests:         protocol.No,
		StandaloneStream:       protocol.No,
		Resumption:             protocol.No,
		PrimingEvent:           protocol.No,
		DisconnectCancels:      protocol.Yes,
		LogLevelPerRequest:     protocol.Yes,
		ArgumentErrorsInResult: protocol.Yes,
		TasksOnRequest:         protocol.No,
		TasksByServer:          protocol.Yes,
		ErrorStatus:            errorStatus,
	},
	Requests: map[string]wire.Decoder{
		protocol.MethodDiscover:              wire.Empty[protocol.DiscoverParams](),
		protocol.MethodToolsList:             decodeListTools,
		protocol.MethodToolsCall:             decodeCallTool,
		protocol.MethodResourcesList:         decodeListResources,
		protocol.MethodResourceTemplatesList: decodeListResourceTemplates,
		protocol.MethodResourcesRead:         decodeReadResource,
		protocol.MethodPromptsList:           decodeListPrompts,
		protocol.MethodPromptsGet:            decodeGetPrompt,
		protocol.MethodComplete:              decodeComplete,
		protocol.MethodListen:                decodeListen,
		protocol.MethodTasksGet:              decodeGetTask,
		protocol.MethodTasksUpdate:           decodeUpdateTask,
		protocol.MethodTasksCancel:           decodeCancelTask,
	},
	Notifications: map[string]wire.Decoder{
		protocol.NotificationCancelled: decodeCancelled,
	},
	Answers: map[string]func(*wire.Object) protocol.Answer{
		protocol.MethodElicit:        decodeElicitResult,
		protocol.MethodCreateMessage: decodeCreateMessageResult,
		protocol.MethodRootsList:     decodeListRootsResult,
	},
	Meta:   decodeMeta,
	Encode: encode,
	Errors: encodeError,
}

// The types of results (basic#resulttype).
const (
	complete      = "complete"
	inputRequired = "input_required"
	task          = "task" // extensions/tasks/overview#how-tasks-work
)

// errorStatus: 404 says that there is no such method, 400 that the request is malformed or at odds with itself, the client
// or the server (basic#meta, basic/transports/streamable-http#server-validation). Other errors are answers like any other.
func errorStatus(code int) int {
	switch code {
	case codeMethodNotFound:
		return http.StatusNotFound
	case codeParse, codeInvalidRequest, codeHeaderMismatch, codeMissingCapability, codeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// encode writes what a server of this revision can say. A question is the params of an input request.
func encode(w *wire.Writer, v protocol.Outgoing) {
	switch v := v.(type) {
	case *protocol.DiscoverResult:
		writeDiscoverResult(w, v)
	case *protocol.EmptyResult:
		w.String("resultType", complete)
		writeResultMeta(w, &v.ResultBase)
	case *protocol.ListToolsResult:
		writeListTools(w, v)
	case *protocol.CallToolResult:
		writeCallToolResult(w, v)
	case *protocol.InputRequiredResult:
		writeInputRequired(w, v)
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
	case *protocol.ListenResult:
		writeListenResult(w, v)
	case *protocol.CreateTaskResult:
		writeCreateTaskResult(w, v)
	case *protocol.GetTaskResult:
		writeGetTask(w, v)
	case *protocol.CancelTaskResult:
		w.String("resultType", complete)
		writeResultMeta(w, &v.ResultBase)
	case *protocol.TaskNotification:
		writeDetailedTask(w, &v.Task)
		writeNotificationMeta(w, &v.NotificationBase)
	case *protocol.CancelledNotification:
		writeCancelled(w, v)
	case *protocol.ProgressNotification:
		writeProgress(w, v)
	case *protocol.LogNotification:
		writeLog(w, v)
	case *protocol.ToolsListChangedNotification:
		writeNotificationMeta(w, &v.NotificationBase)
	case *protocol.PromptsListChangedNotification:
		writeNotificationMeta(w, &v.NotificationBase)
	case *protocol.ResourcesListChangedNotification:
		writeNotificationMeta(w, &v.NotificationBase)
	case *protocol.ResourceUpdatedNotification:
		writeResourceUpdated(w, v)
	case *protocol.SubscriptionsAcknowledgedNotification:
		writeAcknowledged(w, v)
	case *protocol.Tracked:
		encode(w, v.Question) // a client sends no progress
	case *protocol.ElicitParams:
		writeElicit(w, v)
	case *protocol.CreateMessageParams:
		writeCreateMessage(w, v)
	case *protocol.ListRootsParams:
	default:
		w.Fail(protocol.ErrNotInRevision)
	}
}
