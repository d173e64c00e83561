// Package match compares the JSON that travels with the JSON that a transcript pins.
//
// A pattern is JSON whose strings may be holes:
//
//	"{{$name}}"            captures at first sight and must be equal afterwards
//	"{{any}}"              any value; also string, number, integer, boolean, object, array, null, and several: integer|null
//	"{{regexp EXPR}}"      a string in which EXPR (Go syntax, unanchored) matches
//	"{{oneof A B ...}}"    one of these values: JSON, or else text
//	"{{absent}}"           the member must not be there
//	"{{meta cap k=v ...}}" in what a client sends: the metadata that the revision obliges a request to carry
//	"{{$name}}": ...       as the name of a member: one that the sender named as it liked, captured like a value
//
// Objects and arrays are closed, so that a surprise is seen. The member "...": "" opens an object; the item "..." opens an
// array at its beginning or at its end. In what a client sends, "{{$name}}" may also stand inside a longer string.
//
// Numbers are compared by value and never rounded; strings, member names and kinds are compared exactly; the order of members
// does not matter.
package match
