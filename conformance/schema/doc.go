// Package schema judges single messages: are they JSON-RPC, do they fit the schema of their revision, and do
// they keep to the vocabulary of their revision?
//
// Each revision has one JSON Schema file, written for this project and laid out like the others, so that a diff
// of two files reads as the list of changes. Beside its definitions a file has a table of messages: which side
// sends which method, with which params, and what its result looks like. A result is always held against the
// definition of its own method, never against a union of all results: such unions have members that accept
// every object.
//
// What a schema cannot say is tested by hand: that an id is neither null nor fractional and that a response has
// a result or an error, not both (basic/index#messages in every revision).
//
// Foreign vocabulary is a member, a value or a method that other revisions define at this very position and this
// one does not, such as icons on a tool of 2025-06-18. JSON Schema lets such members pass, because no object of
// the protocol is closed. It is found by walking the four schemas side by side. What belongs to an author,
// such as _meta, tool schemas and arguments, is left alone; names that no revision knows are ignored.
package schema
