package tryout

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A message is what the client looks at of what it reads. Id and state go back as they came.
type message struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params params         `json:"params"`
	Result struct {
		Type     string             `json:"resultType"`
		Requests map[string]message `json:"inputRequests"`
		State    jsontext.Value     `json:"requestState"`
	} `json:"result"`
}

type params struct {
	Message string `json:"message"`
	URI     string `json:"uri"`
	URL     string `json:"url"`
}

// read reads a body to its end, and answers each request in it. It returns what it has read.
func (c *Client) read(response *http.Response) (string, error) {
	var all strings.Builder
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadString('\n')
		all.WriteString(line)
		if m, ok := parse(line); ok && m.ID != nil && m.Method != "" {
			if err := c.respond(m); err != nil {
				return "", err
			}
		}
		if err == io.EOF {
			return all.String(), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// parse reads a line of an event stream, or a body.
func parse(line string) (m message, ok bool) {
	text := strings.TrimSpace(strings.TrimPrefix(line, "data:"))
	if !strings.HasPrefix(text, "{") {
		return m, false
	}
	return m, json.Unmarshal([]byte(text), &m) == nil
}

// respond answers a request of the server, in a POST of its own.
func (c *Client) respond(m message) error {
	_, err := c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, c.answer(m)), "", "")
	return err
}

func (c *Client) answer(m message) string {
	c.Asked = append(c.Asked, m.Params.Message)
	if m.Params.URL != "" {
		return c.Visit(m.Params.Message, m.Params.URL)
	}
	return c.Answer(m.Params.Message)
}

// retry returns what to add to a call that was answered with questions: the answers, and the state as it came. It is empty
// if the body asks nothing.
func (c *Client) retry(body string) (string, error) {
	for line := range strings.Lines(body) {
		m, ok := parse(line)
		if !ok || m.Result.Type != "input_required" {
			continue
		}
		if len(m.Result.Requests) == 0 {
			return "", fmt.Errorf("nothing is asked: %s", body)
		}
		var answers []string
		for key, question := range m.Result.Requests {
			answers = append(answers, fmt.Sprintf("%q:%s", key, c.answer(question)))
		}
		return fmt.Sprintf(`,"inputResponses":{%s},"requestState":%s`, strings.Join(answers, ","), m.Result.State), nil
	}
	return "", nil
}
