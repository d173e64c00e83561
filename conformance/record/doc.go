// Package record turns a live conversation into a transcript.
//
// A [Recorder] is a proxy between a client and an endpoint. It passes everything on unchanged, streams included, and keeps the
// messages. The transcript that it writes pins what the server sent, with captures where the client sent back what the server
// had chosen (a request state, a cursor, an id), {{meta ...}} where the client sent the metadata of its revision, and without
// the handshake, which the driver makes. Header values are not recorded, and values of members that sound like a secret are
// masked.
package record
