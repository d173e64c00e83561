package tryout

import (
	"bufio"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/parley-mcp/parley/protocol"
)

// RunTask calls a tool as a task where the revision has them, and answers what it asks. It returns the message that has the
// result. Elsewhere it is CallTool.
func (c *Client) RunTask(tool, arguments string) (string, error) {
	body, id, err := c.tryTask(tool, arguments)
	switch {
	case err != nil || id == "":
		return body, err
	case c.Features.TasksOnRequest.Holds():
		return c.AskTask(protocol.MethodTasksResult, id)
	}
	return c.followTask(id)
}

// BeginTask calls a tool as a task, and returns its id.
func (c *Client) BeginTask(tool, arguments string) (id string, err error) {
	body, id, err := c.tryTask(tool, arguments)
	if err == nil && id == "" {
		err = fmt.Errorf("there is no task: %s", body)
	}
	return id, err
}

// AskTask sends a request about a task, and returns the body of the answer.
func (c *Client) AskTask(method, id string) (string, error) {
	return c.postAs(method, fmt.Sprintf(`"taskId":%q`, id), id)
}

// tryTask calls a tool as a task. id is empty if it has answered.
func (c *Client) tryTask(tool, arguments string) (body, id string, err error) {
	if err := c.open(); err != nil {
		return "", "", err
	}
	asks := ""
	if c.Features.TasksOnRequest.Holds() {
		asks = `,"task":{}`
	}
	for retry := ""; ; {
		body, err = c.postAs(protocol.MethodToolsCall, fmt.Sprintf(`"name":%q,"arguments":%s%s%s`, tool, arguments, asks, retry), tool)
		if err != nil {
			return "", "", err
		}
		if retry, err = c.retry(body); err != nil {
			return "", "", err
		}
		if retry == "" {
			return body, taskID(body), nil
		}
	}
}

// postAs sends a request of a client that knows of tasks.
func (c *Client) postAs(method, params, name string) (string, error) {
	return c.post(c.aware(c.request(method, params)), method, name)
}

// aware declares in a request that the client knows of tasks.
func (c *Client) aware(request string) string {
	declared := fmt.Sprintf(`"extensions":{%q:{}}`, protocol.TaskExtension)
	if c.Answer != nil {
		declared += ","
	}
	return strings.Replace(request, fmt.Sprintf(`%q:{`, protocol.MetaClientCapabilities), fmt.Sprintf(`%q:{`, protocol.MetaClientCapabilities)+declared, 1)
}

// taskID returns the id of the task that a call has become, or "".
func taskID(body string) string {
	for line := range strings.Lines(body) {
		var m struct {
			Result struct {
				ID   string `json:"taskId"`
				Task struct {
					ID string `json:"taskId"`
				} `json:"task"`
			} `json:"result"`
		}
		_, ok := parse(line)
		if ok && json.Unmarshal([]byte(strings.TrimPrefix(strings.TrimSpace(line), "data:")), &m) == nil {
			return m.Result.ID + m.Result.Task.ID
		}
	}
	return ""
}

// followTask listens to a task, answers what it asks, and returns the notification of its end.
func (c *Client) followTask(id string) (string, error) {
	request := c.aware(c.request(protocol.MethodListen, fmt.Sprintf(`"notifications":{"taskIds":[%q]}`, id)))
	stream, err := c.send(http.MethodPost, request, protocol.MethodListen, "")
	if err != nil {
		return "", err
	}
	defer stream.Body.Close()
	for heard := bufio.NewScanner(stream.Body); heard.Scan(); {
		line := strings.TrimPrefix(heard.Text(), "data:")
		var m struct {
			Method string `json:"method"`
			Params struct {
				Status   protocol.TaskStatus `json:"status"`
				Requests map[string]message  `json:"inputRequests"`
			} `json:"params"`
		}
		if json.Unmarshal([]byte(line), &m) != nil || m.Method != protocol.NotificationTask {
			continue
		}
		if m.Params.Status.Ended() {
			return line, nil
		}
		for key, question := range m.Params.Requests {
			answer := fmt.Sprintf(`"taskId":%q,"inputResponses":{%q:%s}`, id, key, c.answer(question))
			if _, err := c.postAs(protocol.MethodTasksUpdate, answer, id); err != nil {
				return "", err
			}
		}
	}
	return "", fmt.Errorf("the stream has ended, and the task %s has not", id)
}
