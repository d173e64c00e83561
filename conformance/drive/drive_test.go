//go:build unix

// The drivers carry bytes. Over HTTP they send what no well-behaved client sends and take every kind of answer; over stdio
// they run a child process, read all it writes, and never leave anything behind.
package drive_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/parley-mcp/parley/conformance/drive"
)

func TestMain(m *testing.M) {
	if behaviour := os.Getenv("DRIVE_TEST_CHILD"); behaviour != "" {
		child(behaviour)
		return
	}
	goleak.VerifyTestMain(m)
}

// raw starts a server that writes one fixed answer after it has read the head of a request, and returns what it was sent.
func raw(t *testing.T, answer string) (*drive.HTTP, <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	seen := make(chan string, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		body, _ := io.ReadAll(io.LimitReader(req.Body, 1<<20))
		seen <- fmt.Sprintf("%s %s %v %d %v %s", req.Method, req.RequestURI, req.TransferEncoding, req.ContentLength, req.Header["X-A"], body)
		_, _ = io.WriteString(conn, answer)
	}()
	u, err := drive.ParseEndpoint("http://" + l.Addr().String() + "/mcp?k=1")
	require.NoError(t, err)
	h := drive.NewHTTP(u)
	t.Cleanup(h.Close)
	return h, seen
}

func next(t *testing.T, c drive.Conn) drive.Arrival {
	t.Helper()
	select {
	case a := <-c.Arrivals():
		return a
	case <-time.After(10 * time.Second):
		require.Fail(t, "nothing arrived")
		return drive.Arrival{}
	}
}

func send(t *testing.T, c drive.Conn, r drive.Request) *drive.Exchange {
	t.Helper()
	x, err := c.Send(t.Context(), r)
	require.NoError(t, err)
	return x
}

func TestHTTPAnswers(t *testing.T) {
	t.Run("JSON", func(t *testing.T) {
		h, seen := raw(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		x := send(t, h, drive.Request{Label: "call", Body: []byte("{1}"), Header: []drive.Field{{Name: "X-A", Value: "1"}, {Name: "x-a", Value: "2"}}})
		assert.Equal(t, "POST /mcp?k=1 [] 3 [1 2] {1}", <-seen)
		assert.Equal(t, drive.Head, next(t, h).Kind)
		assert.Equal(t, 200, x.Status())
		assert.Equal(t, "{}", string(next(t, h).Data))
		end := next(t, h)
		assert.Equal(t, drive.End, end.Kind)
		assert.NoError(t, end.Err)
		assert.Contains(t, x.Sent(), "x-a: 2\r\n")
		assert.True(t, strings.HasPrefix(x.Received(), "HTTP/1.1 200 OK\r\n"))
	})
	t.Run("event stream", func(t *testing.T) {
		h, _ := raw(t, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\nid: 1\ndata:\n\n: c\n\ndata: {}\n\nevent: other\ndata: x\n\n")
		send(t, h, drive.Request{})
		assert.Equal(t, drive.Head, next(t, h).Kind)
		bare := next(t, h)
		assert.Equal(t, drive.Bare, bare.Kind)
		assert.Equal(t, "1", bare.Event.ID)
		assert.Equal(t, "{}", string(next(t, h).Data))
		assert.Equal(t, drive.Bare, next(t, h).Kind)
		assert.Equal(t, drive.End, next(t, h).Kind)
	})
	t.Run("redirect is not followed", func(t *testing.T) {
		h, _ := raw(t, "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
		x := send(t, h, drive.Request{})
		assert.Equal(t, drive.Head, next(t, h).Kind)
		assert.Equal(t, 307, x.Status())
		assert.Equal(t, drive.End, next(t, h).Kind)
	})
	for name, answer := range map[string]string{"closed": "", "garbage": "hello, who is there?\r\n\r\n", "cut": "HTTP/1.1 200 OK\r\nContent-Le"} {
		t.Run(name, func(t *testing.T) {
			h, _ := raw(t, answer)
			send(t, h, drive.Request{})
			end := next(t, h)
			assert.Equal(t, drive.End, end.Kind)
			assert.Error(t, end.Err)
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		h := drive.NewHTTP(&url.URL{Scheme: "http", Host: "127.0.0.1:1", Path: "/"})
		defer h.Close()
		send(t, h, drive.Request{})
		assert.ErrorContains(t, next(t, h).Err, "refused")
	})
}

func TestHTTPBadFraming(t *testing.T) {
	ok := "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
	t.Run("pieces", func(t *testing.T) {
		h, seen := raw(t, ok)
		x := send(t, h, drive.Request{Body: []byte("abcdef"), Split: []int{1, 4}})
		assert.Equal(t, "POST /mcp?k=1 [chunked] -1 [] abcdef", <-seen)
		next(t, h)
		assert.Contains(t, x.Sent(), "1\r\na\r\n3\r\nbcd\r\n2\r\nef\r\n0\r\n\r\n")
	})
	t.Run("a length that lies", func(t *testing.T) {
		h, seen := raw(t, ok)
		long := 10
		send(t, h, drive.Request{Body: []byte("abc"), Length: &long, Path: "/other"})
		assert.Equal(t, "POST /other [] 10 [] abc", <-seen)
		next(t, h)
	})
	t.Run("hang up", func(t *testing.T) {
		gone := make(chan struct{})
		srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
			close(gone)
		}))
		defer srv.Close()
		u, _ := drive.ParseEndpoint(srv.URL)
		h := drive.NewHTTP(u)
		defer h.Close()
		send(t, h, drive.Request{Body: []byte("{}"), Hangup: true})
		assert.ErrorIs(t, next(t, h).Err, drive.ErrHungUp)
		<-gone
	})
}

func TestHTTPHeadWithoutEnd(t *testing.T) {
	h, _ := raw(t, "HTTP/1.1 200 OK\r\nX-Long: "+strings.Repeat("x", 2<<20))
	send(t, h, drive.Request{})
	end := next(t, h)
	assert.Equal(t, drive.End, end.Kind)
	assert.Error(t, end.Err)
}

func TestHTTPFloodIsSlowedDown(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, "data: "+strings.Repeat("x", 1000)+"\n\n")
		}
	}))
	defer srv.Close()
	u, _ := drive.ParseEndpoint(srv.URL)
	h := drive.NewHTTP(u)
	x := send(t, h, drive.Request{})
	for range 100 {
		next(t, h)
	}
	h.Close()
	assert.LessOrEqual(t, len(x.Received()), drive.MaxEvidence+100)
	assert.Contains(t, x.Received(), "more bytes")
}

// child is the server that runs as this test binary's child.
func child(behaviour string) {
	switch behaviour {
	case "echo":
		fmt.Fprintln(os.Stderr, "hello from the child")
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "deaf": // never reads, never ends by itself
		select {}
	case "long":
		fmt.Println(strings.Repeat("x", drive.MaxFrame+10))
		fmt.Println("after")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "parent": // leaves a child of its own behind
		p, err := os.StartProcess("/bin/sleep", []string{"sleep", "100"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p.Pid)
	}
}

func start(t *testing.T, behaviour string) *drive.Process {
	t.Helper()
	p, err := drive.StartProcess([]string{os.Args[0]}, []string{"DRIVE_TEST_CHILD=" + behaviour})
	require.NoError(t, err)
	return p
}

func TestProcessEcho(t *testing.T) {
	p := start(t, "echo")
	x := send(t, p, drive.Request{Body: []byte(`{"a":1}`)})
	assert.Equal(t, "{\"a\":1}\n", x.Sent())
	assert.Equal(t, `{"a":1}`, string(next(t, p).Data))
	p.Hangup(nil)
	assert.Equal(t, drive.End, next(t, p).Kind)
	p.Close()
	assert.Equal(t, "hello from the child\n", p.Stderr())
}

func TestProcessLongLine(t *testing.T) {
	p := start(t, "long")
	defer p.Close()
	assert.Len(t, next(t, p).Data, drive.MaxEvidence)
	assert.ErrorIs(t, next(t, p).Err, drive.ErrFlood)
	assert.Equal(t, "after", string(next(t, p).Data))
}

func TestProcessThatDoesNotRead(t *testing.T) {
	p := start(t, "deaf")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := p.Send(ctx, drive.Request{Body: make([]byte, 1<<20)})
	assert.EqualError(t, err, "the server does not read its standard input")
	p.Close()
	assert.ErrorIs(t, syscall.Kill(p.Pid(), 0), syscall.ESRCH, "the process must be gone")
}

func TestProcessLeavesNoGrandchild(t *testing.T) {
	p := start(t, "parent")
	pid, err := strconv.Atoi(string(next(t, p).Data))
	require.NoError(t, err)
	p.Close()
	assert.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || strings.Contains(string(stat), ") Z ")
	}, 5*time.Second, 10*time.Millisecond, "the server's own child must be gone")
}

func TestStartProcessErrors(t *testing.T) {
	_, err := drive.StartProcess(nil, nil)
	assert.ErrorContains(t, err, "empty")
	_, err = drive.StartProcess([]string{"/no/such/server"}, nil)
	assert.ErrorContains(t, err, "starting the server")
}

func TestMask(t *testing.T) {
	var m drive.Mask
	m.Header("X-Tenant", "acme-tenant")
	m.Header("Authorization", "Bearer s3cret-token")
	m.Value("session-1234")
	got := m.Hide("POST / HTTP/1.1\r\nx-tenant: acme-tenant\r\nMcp-Session-Id: ab\r\nAccept: a\r\n\r\n{\"t\":\"s3cret-token\",\"s\":\"session-1234\"}")
	assert.Equal(t, "POST / HTTP/1.1\r\nx-tenant: ***\r\nMcp-Session-Id: ***\r\nAccept: a\r\n\r\n{\"t\":\"***\",\"s\":\"***\"}", got)
	u, _ := url.Parse("http://me:pw@example.com/mcp?token=abc")
	assert.Equal(t, "http://me:***@example.com/mcp?token=***", drive.HideURL(u))
	assert.Equal(t, "srv --token *** --x=1 API_KEY=*** --name n", drive.HideArgs([]string{"srv", "--token", "abc", "--x=1", "API_KEY=z", "--name", "n"}))
}

func TestCurl(t *testing.T) {
	var m drive.Mask
	u, _ := drive.ParseEndpoint("http://127.0.0.1:80/mcp")
	got := drive.Curl(u, drive.Request{Method: "POST", Header: []drive.Field{{Name: "Authorization", Value: "Bearer x"}}, Body: []byte(`{"it's":1}`)}, &m)
	assert.Equal(t, `curl -sSiN -H 'Authorization: ***' --data-binary '{"it'\''s":1}' 'http://127.0.0.1:80/mcp'`, got)
	got = drive.Curl(u, drive.Request{Method: "POST", Body: []byte("\xff'")}, &m)
	assert.Equal(t, `curl -sSiN --data-binary $'\xff\'' 'http://127.0.0.1:80/mcp'`, got)
}

func TestRunProgram(t *testing.T) {
	printed, err := drive.RunProgram(t.Context(), []string{"sh", "-c", "echo $A; echo b >&2; exit 3"}, []string{"A=a"})
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	assert.Equal(t, 3, exit.ExitCode())
	assert.Equal(t, "a\nb\n", printed)
	_, err = drive.RunProgram(t.Context(), nil, nil)
	require.Error(t, err)
	_, err = drive.RunProgram(t.Context(), []string{"/no/such/program"}, nil)
	require.ErrorContains(t, err, "starting the client")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = drive.RunProgram(ctx, []string{"sh", "-c", "sleep 60 & sleep 60"}, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}
