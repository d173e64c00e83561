package revisions_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// leftOut are methods that a schema has and a spoke lacks on purpose, by the union that they are missing from.
var leftOut = map[protocol.Revision]map[string]string{
	"2025-11-25": {
		"ClientNotification notifications/tasks/status": noClientTasks,
		"ServerNotification notifications/tasks/status": "it is optional, and nobody may rely on it",
		"ServerRequest tasks/get":                       noClientTasks,
		"ServerRequest tasks/list":                      noClientTasks,
		"ServerRequest tasks/cancel":                    noClientTasks,
		"ServerRequest tasks/result":                    noClientTasks,
	},
}

// byExtension are methods that a spoke has by an extension, whose specification stands apart from the schema.
var byExtension = map[protocol.Revision][]string{
	"2026-07-28": {"tasks/get", "tasks/update", "tasks/cancel", "notifications/tasks"},
}

func TestMethodTables(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		s := schemaOf(t, c)
		excluded, used := leftOut[s.revision], map[string]bool{}
		all := map[string]bool{}
		wanted := func(unions ...string) []string {
			found := map[string]bool{}
			for _, union := range unions {
				in := s.methods(s.defs[union])
				maps.Copy(all, in)
				for method := range in {
					if _, ok := excluded[union+" "+method]; ok {
						used[union+" "+method] = true
						delete(in, method)
					}
				}
				maps.Copy(found, in)
			}
			require.NotEmpty(t, found, "the schema has none of %s", unions)
			return slices.Sorted(maps.Keys(found))
		}
		tables := c.(*wire.Codec)
		extended := slices.Clone(byExtension[s.revision])
		core := func(methods []string) []string {
			return slices.DeleteFunc(methods, func(m string) bool {
				i := slices.Index(extended, m)
				if i >= 0 {
					extended = slices.Delete(extended, i, i+1)
				}
				return i >= 0
			})
		}
		assert.Equal(t, wanted("ClientRequest"), core(keys(tables.Requests)), "requests of a client")
		assert.Equal(t, wanted("ClientNotification"), core(keys(tables.Notifications)), "notifications of a client")
		assert.Equal(t, wanted("ServerNotification"), core(said[protocol.Notification](t, c)), "notifications of a server")
		assert.Empty(t, extended, "methods of an extension that the spoke does not have")
		// Where a server may not send requests, what it would ask travels in a result.
		questions := wanted("ServerRequest", "InputRequest")
		assert.Equal(t, questions, said[protocol.Question](t, c), "questions of a server")
		assert.Equal(t, questions, keys(tables.Answers), "answers of a client")

		for name, def := range s.defs {
			for method := range s.methods(def) {
				assert.True(t, all[method], "%s has the method %s, and nobody sends it", name, method)
			}
		}
		for method, reason := range excluded {
			assert.True(t, used[method], "%s is left out (%s), but the schema does not have it", method, reason)
			assert.NotEmpty(t, reason)
		}
	})
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// said returns the methods of the neutral messages of type M that c can say.
func said[M interface{ Method() string }](t *testing.T, c protocol.Codec) []string {
	found := map[string]bool{}
	for _, m := range messages() {
		message, ok := m.value.(M)
		if !ok {
			continue
		}
		if _, err := c.Append(nil, m.value); err == nil {
			found[message.Method()] = true
		} else {
			require.ErrorIs(t, err, protocol.ErrNotInRevision)
		}
	}
	return keys(found)
}

// Other methods do not exist, and are told apart from those whose params are wrong.
func TestNoSuchMethod(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		tables := c.(*wire.Codec)
		kind := func(err error) protocol.ErrorKind {
			var e *protocol.Error
			require.ErrorAs(t, err, &e)
			return e.Kind
		}
		for _, method := range []string{"", "tools", "tools/callx", "Tools/Call", "__proto__", "rpc.discover"} {
			_, err := c.DecodeRequest(method, nil)
			assert.Equal(t, protocol.KindMethodNotFound, kind(err), method)
			_, err = c.DecodeNotification(method, nil)
			assert.Equal(t, protocol.KindMethodNotFound, kind(err), method)
		}
		for method := range tables.Requests {
			_, err := c.DecodeRequest(method, []byte(`[]`))
			assert.Equal(t, protocol.KindInvalidParams, kind(err), method)
			_, err = c.DecodeNotification(method, nil)
			assert.Equal(t, protocol.KindMethodNotFound, kind(err), "the request %s as a notification", method)
		}
		for method := range tables.Notifications {
			_, err := c.DecodeNotification(method, []byte(`"x"`))
			assert.Equal(t, protocol.KindInvalidParams, kind(err), method)
			_, err = c.DecodeRequest(method, nil)
			assert.Equal(t, protocol.KindMethodNotFound, kind(err), "the notification %s as a request", method)
		}
	})
}
