// Package matrix says of every requirement of every revision what proves it, and says so where nothing does.
//
// A requirement is proven by a step of a transcript that names it, by a check that looks at every message, or by a Go test
// that cites it where a transcript cannot say it (time, load, two connections racing, TLS):
//
//	// Proves: session.terminated-id-404 2025-06-18 2025-11-25
//	func TestTerminated(t *testing.T) {
//
// The line stands in the doc comment or in the body of a function whose name begins with Test; without revisions it holds
// for all at which the requirement does. An id that does not exist, a revision at which it does not hold, and a line that
// stands elsewhere are errors with file and line. Modules in folders of their own are not read.
//
// What is neither proven nor left open by the specification is a gap, or cannot be observed. The file reasons.yaml gives
// the reasons, one word each. It can only tell the truth: a line that decides nothing is an error.
//
// The command parley matrix writes the pages, and CI fails if they are not as it would write them.
package matrix

//go:generate go run ../../cmd/parley matrix --write --root ../..
