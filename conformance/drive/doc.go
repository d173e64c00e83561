// Package drive puts the client's side of a conversation on the wire and hands over what the server sends, untouched: over
// HTTP and over the standard streams of a child process.
//
// It knows bytes, frames and streams, and nothing of JSON-RPC or of any revision. It writes HTTP/1.1 itself, so that it can
// send what no well-behaved client sends: a header twice, a Content-Length that lies, a body in pieces, half a request.
// Redirects are never followed. What it keeps of an exchange is bounded; what it hands over waits until somebody takes it, so
// that a server that floods is slowed down instead of filling memory.
package drive
