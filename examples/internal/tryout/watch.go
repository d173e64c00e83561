package tryout

import (
	"bufio"
	"fmt"
	"net/http"

	"github.com/parley-mcp/parley/protocol"
)

// Watch subscribes to a resource and calls changed with its URI each time that it has changed, until changed returns false
// or the server ends the stream. subscribed is called once changes will be heard.
func (c *Client) Watch(uri string, subscribed func() error, changed func(uri string) bool) error {
	if err := c.open(); err != nil {
		return err
	}
	stream, err := c.listen(uri)
	if err != nil {
		return err
	}
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK {
		return fmt.Errorf("listening: %s", stream.Status)
	}
	heard := bufio.NewScanner(stream.Body)
	if c.Features.Lifecycle == protocol.Handshake {
		if err := subscribed(); err != nil {
			return err
		}
	}
	for heard.Scan() {
		m, _ := parse(heard.Text())
		switch m.Method {
		case protocol.NotificationSubscriptionsAcknowledged:
			if err := subscribed(); err != nil {
				return err
			}
		case protocol.NotificationResourceUpdated:
			if !changed(m.Params.URI) {
				return nil
			}
		}
	}
	return heard.Err()
}

// listen opens the stream on which changes are announced: that of the session, or that of a request to listen.
func (c *Client) listen(uri string) (*http.Response, error) {
	if c.Features.Lifecycle == protocol.PerRequest {
		filter := fmt.Sprintf(`"notifications":{"resourceSubscriptions":[%q]}`, uri)
		return c.send(http.MethodPost, c.request(protocol.MethodListen, filter), protocol.MethodListen, "")
	}
	request := c.request(protocol.MethodResourcesSubscribe, fmt.Sprintf(`"uri":%q`, uri))
	if _, err := c.post(request, protocol.MethodResourcesSubscribe, ""); err != nil {
		return nil, err
	}
	return c.send(http.MethodGet, "", "", "")
}
