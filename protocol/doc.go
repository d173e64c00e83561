// Package protocol is the hub: what a Model Context Protocol server and its clients say to each other, in types that belong
// to no revision and have the newest revision's meaning.
//
// Each revision is a spoke: a [Codec] in a folder of its own, which turns that revision's JSON into these types and back.
// What a revision lacks is missing from its spoke, and so it can neither be received nor sent there. Package revisions
// lists the spokes.
//
// Raw JSON ([jsontext.Value]) stands where the specification leaves the content to others: arguments, structured content,
// schemas, _meta. It is passed through digit for digit.
package protocol
