// Package requirements is the manifest of what the specification demands: one entry per normative statement,
// with its level at each revision, the clauses that state it, whom it binds and how far it can be observed from
// outside. Transcripts name the entries they prove by id, and reports are read against them.
//
// The data are the YAML files beside the code: index.yaml names the revisions and the areas, each area has a file
// of its own, and open-points.yaml tells where the specification contradicts itself and how that is read here. An
// id is made of words, so that it can be said aloud. Reading is strict: a misspelt key, an id that occurs twice or
// leads nowhere, or an unknown level fails with the file and the line.
package requirements
