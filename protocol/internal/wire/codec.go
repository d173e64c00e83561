package wire

import (
	"iter"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/protocol"
)

// A Decoder reads the params of one method.
type Decoder = func(*Object) protocol.Params

// A Codec is a protocol.Codec made of a revision's tables. What is in no table does not exist at that revision.
type Codec struct {
	Facts protocol.Features
	// Requests and Notifications are what a client may send, by method.
	Requests, Notifications map[string]Decoder
	// Meta reads the _meta of a request.
	Meta func(*Object) protocol.RequestMeta
	// Encode writes the members of v, which is a result, or the params of a notification or question. It calls
	// Fail(ErrNotInRevision) for what the revision lacks.
	Encode func(*Writer, protocol.Outgoing)
	// Answers are the questions a server may ask, by method, and how their answers are read.
	Answers map[string]func(*Object) protocol.Answer
	// Errors gives a code and data to each kind of error.
	Errors func(*protocol.Error) protocol.WireError

	metas metas
}

// Features implements protocol.Codec.
func (c *Codec) Features() *protocol.Features { return &c.Facts }

// Methods implements protocol.Codec.
func (c *Codec) Methods() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, table := range []map[string]Decoder{c.Requests, c.Notifications} {
			for method := range table {
				if !yield(method) {
					return
				}
			}
		}
	}
}

// DecodeRequest implements protocol.Codec.
func (c *Codec) DecodeRequest(method string, params jsontext.Value) (protocol.Params, error) {
	return decode(c.Requests, method, params)
}

// DecodeNotification implements protocol.Codec.
func (c *Codec) DecodeNotification(method string, params jsontext.Value) (protocol.Params, error) {
	return decode(c.Notifications, method, params)
}

func decode(table map[string]Decoder, method string, params jsontext.Value) (protocol.Params, error) {
	d, ok := table[method]
	if !ok {
		return nil, protocol.MethodNotFound(method)
	}
	return Read(params, "params", d)
}

// DecodeMeta implements protocol.Codec.
func (c *Codec) DecodeMeta(meta jsontext.Value) (protocol.RequestMeta, error) {
	return c.metas.read(meta, c.readMeta)
}

func (c *Codec) readMeta(meta jsontext.Value) (protocol.RequestMeta, error) {
	return Read(meta, "params._meta", c.Meta)
}

// Append implements protocol.Codec.
func (c *Codec) Append(dst []byte, v protocol.Outgoing) ([]byte, error) {
	out, err := write(dst, func(w *Writer) { c.Encode(w, v) })
	if err != nil {
		return dst, err
	}
	return out, nil
}

// DecodeAnswer implements protocol.Codec.
func (c *Codec) DecodeAnswer(q protocol.Question, result jsontext.Value) (protocol.Answer, error) {
	d, ok := c.Answers[q.Method()]
	if !ok {
		return nil, protocol.ErrNotInRevision
	}
	return Read(result, "result", d)
}

// Error implements protocol.Codec.
func (c *Codec) Error(err error) protocol.WireError { return c.Errors(protocol.AsError(err)) }

// Empty returns a decoder for params that hold nothing.
func Empty[T any, P interface {
	*T
	protocol.Params
}]() Decoder {
	return func(*Object) protocol.Params { return P(new(T)) }
}

// JSON returns the object that f writes.
func JSON(f func(*Writer)) jsontext.Value {
	b, err := write(nil, f)
	if err != nil {
		return nil
	}
	return b
}

var writers = sync.Pool{New: func() any { return new(Writer) }}

// write appends the object that f writes.
func write(dst []byte, f func(*Writer)) ([]byte, error) {
	w := writers.Get().(*Writer)
	w.buf = append(dst, '{')
	f(w)
	w.Close()
	out, err := w.buf, w.err
	*w = Writer{}
	writers.Put(w)
	return out, err
}
