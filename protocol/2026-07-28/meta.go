package rev20260728

import (
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// decodeMeta: the revision and the capabilities must be there (basic#meta).
func decodeMeta(o *wire.Object) protocol.RequestMeta {
	m := protocol.RequestMeta{
		ProgressToken: o.Token(protocol.MetaProgressToken),
		Revision:      o.String(protocol.MetaProtocolVersion),
	}
	capabilities := readClientCapabilities(o.Object(protocol.MetaClientCapabilities))
	m.Capabilities = &capabilities
	if c := o.OptObject(protocol.MetaClientInfo); c != nil {
		client := readImplementation(c)
		m.Client = &client
	}
	if o.Has(protocol.MetaLogLevel) {
		m.LogLevel = readLogLevel(o, protocol.MetaLogLevel)
	}
	return m
}

// writeResultMeta: the server says with each result who it is (basic#meta). Its identity is not the author's to give.
func writeResultMeta(w *wire.Writer, b *protocol.ResultBase) {
	if b.Server == nil {
		w.OptMeta(b.Meta)
		return
	}
	w.Open("_meta")
	w.Open(protocol.MetaServerInfo)
	writeImplementation(w, b.Server)
	w.Close()
	w.Rest(b.Meta, protocol.MetaServerInfo)
	w.Close()
}

// writeNotificationMeta: on the stream of a subscription a notification names it
// (basic/patterns/subscriptions#receiving-notifications).
func writeNotificationMeta(w *wire.Writer, b *protocol.NotificationBase) {
	if b.SubscriptionID == nil {
		w.OptMeta(b.Meta)
		return
	}
	w.Open("_meta")
	w.Raw(protocol.MetaSubscriptionID, b.SubscriptionID)
	w.Rest(b.Meta, protocol.MetaSubscriptionID)
	w.Close()
}

// writeCacheHint writes what each cacheable result has (server/utilities/caching#cacheable-model).
func writeCacheHint(w *wire.Writer, c protocol.CacheHint) {
	w.Int("ttlMs", max(0, c.TTLMs))
	if c.Public {
		w.String("cacheScope", "public")
	} else {
		w.String("cacheScope", "private")
	}
}
