// Package parley holds no code: it is the root of a module with which a server speaks every dated
// revision of the Model Context Protocol on one endpoint, and of a harness that proves, clause by
// clause, what any such server does.
//
// Start with one of its rooms:
//
//   - server: write tools, resources and prompts once, for all revisions
//   - transport/streamable and transport/stdio: serve them over HTTP or a pipe
//   - session: what remembers a client between requests, if anything
//   - conformance: test a server written in any language
//   - protocol: the vocabulary of each revision, and the neutral types between them
//
// The tests beside this file keep the rooms apart: which may import which, and what none may say.
package parley
