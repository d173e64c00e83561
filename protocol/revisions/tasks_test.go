package revisions_test

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
)

// Where a client asks for a call to run as a task, it says so in the params of the call; elsewhere what it says there is
// ignored, as whatever is not known (extensions/tasks/overview#client-support).
//
// Proves: ext-tasks.task-param-ignored
// Proves: tasks.id-receiver-generated
func TestTaskRequest(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		decode := func(task string) (*protocol.TaskRequest, error) {
			p, err := c.DecodeRequest(protocol.MethodToolsCall, []byte(`{"name":"n","task":`+task+`}`))
			if err != nil {
				return nil, err
			}
			return p.(*protocol.CallToolParams).Task, nil
		}
		asks := c.Features().TasksOnRequest.Holds()
		for raw, want := range map[string]*protocol.TaskRequest{
			`{}`: {}, `{"ttl":null}`: {}, `{"ttl":5,"taskId":"mine"}`: {TTLMs: new(int64(5))}, `null`: nil,
		} {
			got, err := decode(raw)
			require.NoError(t, err)
			if !asks {
				want = nil
			}
			assert.Equal(t, want, got, raw)
		}
		for raw, fault := range map[string]string{
			`true`: "params.task must be an object", `{"ttl":"1"}`: "params.task.ttl must be an integer", `{"ttl":1.5}`: "params.task.ttl must be an integer",
		} {
			_, err := decode(raw)
			if asks {
				assert.EqualError(t, err, "invalid params: "+fault)
			} else {
				assert.NoError(t, err)
			}
		}
	})
}

// The requests of the extension are read as the core's are.
func TestRequestsAboutTasks(t *testing.T) {
	each(t, func(t *testing.T, c protocol.Codec) {
		for _, method := range byExtension[c.Features().Revision] {
			if method == protocol.NotificationTask {
				continue
			}
			for raw, fault := range map[string]string{
				`{"inputResponses":{}}`:               "params.taskId is required",
				`{"taskId":null,"inputResponses":{}}`: "params.taskId is required",
				`{"taskId":7,"inputResponses":{}}`:    "params.taskId must be a string",
			} {
				_, err := c.DecodeRequest(method, []byte(raw))
				assert.EqualError(t, err, "invalid params: "+fault, method)
			}
		}
		if !c.Features().TasksByServer.Holds() {
			_, err := c.DecodeRequest(protocol.MethodTasksUpdate, []byte(`{"taskId":"t","inputResponses":{}}`))
			assert.Equal(t, protocol.KindMethodNotFound, protocol.AsError(err).Kind)
			return
		}
		p, err := c.DecodeRequest(protocol.MethodTasksGet, []byte(`{"taskId":"t","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"u"}}}`))
		require.NoError(t, err)
		assert.Equal(t, &protocol.GetTaskParams{ID: "t"}, p)
		p, err = c.DecodeRequest(protocol.MethodTasksUpdate, []byte(`{"taskId":"t","inputResponses":{"a":{"n":`+beyond+`},"b":null}}`))
		require.NoError(t, err)
		assert.Equal(t, &protocol.UpdateTaskParams{ID: "t", Responses: map[string]jsontext.Value{"a": jsontext.Value(`{"n":` + beyond + `}`)}}, p)
		_, err = c.DecodeRequest(protocol.MethodTasksUpdate, []byte(`{"taskId":"t"}`))
		assert.EqualError(t, err, "invalid params: params.inputResponses is required")
		p, err = c.DecodeRequest(protocol.MethodListen, []byte(`{"notifications":{"taskIds":["t"]}}`))
		require.NoError(t, err)
		assert.Equal(t, []string{"t"}, p.(*protocol.ListenParams).Filter.Tasks)
	})
}
