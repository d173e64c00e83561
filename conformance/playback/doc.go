// Package playback plays the server's side of transcripts.
//
// Where a transcript judges clients, it is tolerant: a client may do more than the transcript speaks of, at any time, and what
// no step waits for is answered as a server would.
//
// A [Server] holds to one transcript: when the client has sent what the transcript says, it sends what the server sent, holes
// filled with examples. It judges what the client sends on the way. So one file tests servers and clients, and the harness
// tests itself: against a faithful playback a transcript must pass, and against one that lies it must not.
package playback
