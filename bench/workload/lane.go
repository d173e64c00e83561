package workload

// A Lane is a way in which clients open, and the revision they speak.
type Lane string

// The lanes. At 2025-06-18 a server may or may not open a session on initialize; at 2026-07-28 each request says all it
// takes.
const (
	Stateless  Lane = "stateless"   // a handshake, nothing remembered
	Sessions   Lane = "sessions"    // a handshake that opens a session
	PerRequest Lane = "per-request" // no handshake
)

// Lanes returns all lanes, in the order of the tables.
func Lanes() []Lane { return []Lane{Stateless, Sessions, PerRequest} }

const (
	handshakeRevision  = "2025-06-18"
	perRequestRevision = "2026-07-28"
)

// Revision returns the revision that clients of the lane speak.
func (l Lane) Revision() string {
	if l == PerRequest {
		return perRequestRevision
	}
	return handshakeRevision
}

// Title names the lane in a table.
func (l Lane) Title() string {
	switch l {
	case Stateless:
		return "handshake, stateless"
	case Sessions:
		return "handshake, session"
	}
	return perRequestRevision
}
