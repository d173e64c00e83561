// Package transcript reads golden transcripts: conversations between a client and a server, in order, in the JSON that
// travels.
//
// A transcript is a txtar archive. The text at its head tells the story in prose; its last paragraph holds the keys:
//
//	revisions:  the revisions for which the conversation holds, required
//	transports: http, stdio, or both, which is the default
//	fixture:    tools, prompts or resources of the reference fixture that it needs; without it, it runs against any server
//	capability: what the server must declare, such as resources.subscribe; otherwise the transcript is not applicable;
//	            no:NAME stands for a server that does not declare it, http:session for one that opens sessions over HTTP,
//	            http:authorization for one that refuses requests without the token of the run, http:metadata for one whose
//	            protected resource metadata are on its own host, token:KIND for a run that has such a token, one of Tokens,
//	            only:stateless for one that speaks no revision with a handshake, entries:METHOD for one whose list has
//	            entries, pages:METHOD for one whose list has more than one page
//	open:       yes (default): the driver opens as the revision says; no: the transcript does it
//	control:    the transcript that shows that the server accepts the right form; for transcripts that send a wrong one
//	also:       why it stands although another transcript asks the same and proves the same
//	parallel:   no: it runs alone, since what it does is seen by other clients
//
// Every section is one step:
//
//	-- > label --              the client sends a message, or a batch
//	-- >raw label --           the client sends bytes that need not be JSON
//	-- >http METHOD label --   the client sends a bare HTTP request
//	-- >close label --         the client closes the answer of the step with that label; over stdio, the server's input
//	-- < label [ids] --        the next message must match; without a body, nothing may come (202 over HTTP)
//	-- <? label [ids] --       may arrive before the next <, any number of times
//	-- <~ label --             may come instead of the next <, any number of times: the client then asks once more what it has
//	                           just asked, under a new id, when it has waited as long as the answer suggests,
//	                           a second at most
//	-- <! label [ids] --       must not arrive before the next step ends
//	-- let name --             a JSON constant for {{$name}}
//
// So a <~ step, which stands right behind the > step of a request, polls until the answer is another; all of it takes no longer
// than one step may. Where the transcript is played as the server, each comes once. {{$name}} may be the name of a member, too,
// where the server is free to choose it.
//
// A transcript that judges clients has, before its first step, a section that says what a client under test is to do; see
// [Task]. Then the ids stand on what the client sends, which is compared, and what the server sends is sent as it is written.
// The id of a request stands for the one that the client chose, and the mock adds to results what the revision wants of each.
// There is no >raw, <?, <~ and <!, and there are:
//
//	-- client --               a JSON object: calls, answers
//	-- answer METHOD --        the result of a method that no step waits for, at any time
//	-- >! label [ids] --       the client must not send this before the next step, or the end
//
// ids are the requirements that the step proves. One that ends in "?" marks a step that looks at the very thing that the
// specification leaves open: where the manifest has an open point for it, a difference is recorded and judged by nobody.
//
// {{$revision}} is the revision that is played; see Predefined for other names that are known everywhere. Bodies are JSON with the holes of package match. Lines that begin with
// "http:" stand before the body and hold what only HTTP has; stdio ignores them. Under what the client sends:
//
//	http: Name: value          one more header, or another value for one that the driver sends; twice sends it twice
//	http: Name:                leaves the header out
//	http: Name: "text"         a value in Go's quotes, for blanks, the empty value and odd bytes
//	http: @split 3 10          the body goes out in pieces that end at these offsets, chunked
//	http: @length 12           a Content-Length of 12, whatever the body's length is
//	http: @path /other         another path on the same host
//	http: @hangup              the connection is closed as soon as the request is out
//
// Under what the server sends:
//
//	http: 200                  the status; also 4xx, or 400|404
//	http: Name: value          a header, where the value may be a hole such as {{absent}} or {{$name}}
//	http: @id text             the event that carries the message has this id; without a body, an event without a message
//	http: @retry text          ... this retry field
//	http: @comment text        a comment before the message, in a transcript that judges clients
//	http: @on label            the message comes on the answer to the step with that label
//	http: @end                 the answer ends behind the message
//	http: @or 4xx              or else an answer of this status without any message
//
// In ">raw" and ">http" bodies, {{hex ff fe}} stands for bytes and {{repeat 1000 text}} for a text many times over.
//
// Parsing is strict: whatever is not understood is an error with file and line that says what to do.
package transcript
