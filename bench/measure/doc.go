// Package measure times a contender: in process, over loopback, and what it costs to keep sessions and streams. Each
// answer is checked in full before it is timed, and by status and length while it is, with a full check now and then.
package measure
