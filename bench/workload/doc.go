// Package workload says what the benchmark asks of a server: the features that every contender offers, the requests, and
// what a right answer to each is. It speaks to servers over their wire alone, so it shares no code with any of them.
package workload
