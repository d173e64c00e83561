package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

func decodeListen(o *wire.Object) protocol.Params {
	f := o.Object("notifications")
	return &protocol.ListenParams{Filter: protocol.SubscriptionFilter{
		ToolsListChanged:     f.OptBool("toolsListChanged"),
		PromptsListChanged:   f.OptBool("promptsListChanged"),
		ResourcesListChanged: f.OptBool("resourcesListChanged"),
		Resources:            f.OptStrings("resourceSubscriptions"),
		Tasks:                f.OptStrings("taskIds"),
	}}
}

func writeAcknowledged(w *wire.Writer, n *protocol.SubscriptionsAcknowledgedNotification) {
	w.Open("notifications")
	w.OptBool("toolsListChanged", n.Filter.ToolsListChanged)
	w.OptBool("promptsListChanged", n.Filter.PromptsListChanged)
	w.OptBool("resourcesListChanged", n.Filter.ResourcesListChanged)
	w.OptStrings("resourceSubscriptions", n.Filter.Resources)
	w.OptStrings("taskIds", n.Filter.Tasks)
	w.Close()
	writeNotificationMeta(w, &n.NotificationBase)
}

// writeListenResult: the result says which subscription it ends (basic/patterns/subscriptions#graceful-closure).
func writeListenResult(w *wire.Writer, r *protocol.ListenResult) {
	w.String("resultType", complete)
	w.Open("_meta")
	w.Raw(protocol.MetaSubscriptionID, r.ID)
	if r.Server != nil {
		w.Open(protocol.MetaServerInfo)
		writeImplementation(w, r.Server)
		w.Close()
		w.Rest(r.Meta, protocol.MetaSubscriptionID, protocol.MetaServerInfo)
	} else {
		w.Rest(r.Meta, protocol.MetaSubscriptionID)
	}
	w.Close()
}
