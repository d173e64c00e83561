// Package conformance proves, clause by clause, what an MCP server does at each revision, and what a client does: any of them, in
// any language, over HTTP and over stdio.
//
// # Use
//
// From a test of a server written in Go, three lines:
//
//	func TestConformance(t *testing.T) {
//		conformance.Test(t, newHandler())
//	}
//
// From a program, or with choices:
//
//	r, err := conformance.Run(ctx, conformance.Target{URL: "http://127.0.0.1:8080/mcp"}, conformance.Options{})
//
// From a shell: parley test --http http://127.0.0.1:8080/mcp.
//
// # What is run
//
// The cases are golden transcripts: conversations, in order, in the JSON that travels. Package transcript describes their
// format, package transcripts holds those that come with the harness, and each step says which requirements it proves; package
// requirements knows these.
//
// A run first finds out which revisions the server speaks: it asks server/discover where a revision has no handshake, and
// initialize where it has one. At each revision that is spoken it then learns what the server declares and lists. So it knows
// what does not apply: a revision that is not spoken, a capability that is not declared, a tool of the reference fixture that
// is not listed. Such a transcript is never a failure, and never a pass.
//
// The driver opens each conversation as the revision says and sends what the revision obliges every client to send: session id,
// version header, mirrored headers, metadata. A transcript about these things says so itself.
//
// # How messages are taken
//
// A step waits for the next message. Messages on one HTTP answer are in order, as are those that belong to one request over
// stdio; between answers there is no order, so that a step takes its message from whichever brings it. A message that a server
// may send at any time (a log entry, a change, a ping) disturbs no transcript that does not speak of it. Any other message that
// no step waits for fails the step that runs.
//
// Every message, whether or not a step speaks of it, is held against JSON-RPC, the schema of its revision, and the vocabulary
// of the other revisions. What is found is reported once for each revision and transport, as the results of the area "always",
// so that one member too many does not fail every transcript that meets it.
//
// # Verdicts
//
//	pass            every message was as required
//	fail            a requirement of level MUST is broken, no answer came, or a message is malformed
//	warn            only requirements of level SHOULD are broken
//	not-applicable  the server does not have what the transcript is about
//	open            the specification contradicts itself here: recorded, and judged by nobody
//	untestable      the run could not find out, for example since the control failed
//	not-reached     an earlier step failed
//
// A transcript that sends something wrong names a control: the transcript that shows that the server accepts the right form.
// If the control has not passed on the same server, at the same revision, over the same transport, a refusal proves nothing, and
// the transcript is untestable.
//
// # Known failures
//
// A [Known] is a failure that is known, with the reason. It does not fail the run. A known failure that passes, or that matches
// nothing, does: the list can only tell the truth.
//
// # Bad servers
//
// A server that hangs, resets, answers garbage, floods, redirects elsewhere or prints text on its standard output gets a verdict
// with evidence within the step's time-out and in bounded memory, and the run goes on. Redirects are not followed. A process
// is ended with all that it started. Header values of the target, and the session ids of the server, stand in no report.
//
// # Clients
//
// [RunClient] runs a client under test against the mock (package playback), once for each transcript that judges clients, and
// package watch looks at everything that it sends. The results of its checks are those of the area "client-always".
//
// # Own tests
//
// Every transcript is also played from the other side: as the server (package playback), or as the client. Against one that does as
// the transcript says it must pass; with any pinned member removed, changed or added it must fail at that step.
package conformance
