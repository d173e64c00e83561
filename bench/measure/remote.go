package measure

import (
	"bytes"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/parley-mcp/parley/bench/workload"
)

// A Remote is a client with one connection that it keeps. It is not that of net/http, which costs more than many servers.
type Remote struct {
	host     *fasthttp.HostClient
	request  *fasthttp.Request
	response *fasthttp.Response
}

// NewRemote returns a client of the server at a loopback address.
func NewRemote(address string) *Remote {
	return &Remote{
		host: &fasthttp.HostClient{Addr: address, MaxConns: 1, ReadBufferSize: 64 << 10, ReadTimeout: time.Minute,
			NoDefaultUserAgentHeader: true, DisablePathNormalizing: true, MaxIdemponentCallAttempts: 1},
		request:  &fasthttp.Request{},
		response: &fasthttp.Response{},
	}
}

// Do implements workload.Client.
func (r *Remote) Do(c *workload.Call) (workload.Response, error) {
	r.use(c)
	if err := r.hit(); err != nil {
		return workload.Response{}, err
	}
	return r.answer(), nil
}

// Close closes the connection.
func (r *Remote) Close() { r.host.CloseIdleConnections() }

// use makes c the call that hit sends.
func (r *Remote) use(c *workload.Call) {
	r.request.Header.Reset()
	r.request.Header.SetMethod("POST")
	r.request.SetRequestURI("http://" + r.host.Addr + "/mcp")
	for name, values := range c.Header {
		r.request.Header.Set(name, values[0])
	}
	r.request.SetBodyRaw(c.Body)
}

func (r *Remote) hit() error {
	r.response.Reset()
	return r.host.Do(r.request, r.response)
}

func (r *Remote) answer() workload.Response {
	h := &r.response.Header
	return workload.Response{Status: r.response.StatusCode(), ContentType: string(h.ContentType()),
		Session: string(h.Peek("Mcp-Session-Id")), Body: bytes.Clone(r.response.Body())}
}
