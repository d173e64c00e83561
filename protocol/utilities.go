package protocol

import "github.com/go-json-experiment/json/jsontext"

// CancelledParams say that a client no longer wants the answer to its request RequestID, a JSON string or integer, or nil
// if it did not say which.
type CancelledParams struct {
	RequestID jsontext.Value
	Reason    string
}

// CancelledNotification says that the server ends the request RequestID: one of its own, or a subscription.
type CancelledNotification struct {
	NotificationBase
	RequestID jsontext.Value
	Reason    string
}

// ProgressParams say how far a client is with a request of the server.
type ProgressParams struct {
	// Token is what the server gave the request: a JSON string or number.
	Token    jsontext.Value
	Progress float64
	Total    *float64
	Message  string
}

// ProgressNotification says how far the server is with the request that came with Token.
type ProgressNotification struct {
	NotificationBase
	Token    jsontext.Value
	Progress float64
	// Total is nil if unknown.
	Total   *float64
	Message string
}

// SetLevelParams set the least level of the log messages that a session gets.
type SetLevelParams struct{ Level LogLevel }

// LogNotification is a log message. Data is any JSON value.
type LogNotification struct {
	NotificationBase
	Level  LogLevel
	Logger string
	Data   jsontext.Value
}

// A LogLevel is a severity of RFC 5424. Its zero value is none.
type LogLevel uint8

// The levels, from the least to the most severe.
const (
	LogDebug LogLevel = iota + 1
	LogInfo
	LogNotice
	LogWarning
	LogError
	LogCritical
	LogAlert
	LogEmergency
)

var logLevels = [...]string{"", "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// String returns the level's name on the wire, or "" for none.
func (l LogLevel) String() string {
	if int(l) < len(logLevels) {
		return logLevels[l]
	}
	return ""
}

// ParseLogLevel returns the level with the given name; ok is false if there is none.
func ParseLogLevel(s string) (level LogLevel, ok bool) {
	for i, name := range logLevels[1:] {
		if name == s {
			return LogLevel(i + 1), true
		}
	}
	return 0, false
}

// RootsListChangedParams say that what roots/list would answer has changed.
type RootsListChangedParams struct{}

func (*CancelledParams) params()        {}
func (*ProgressParams) params()         {}
func (*SetLevelParams) params()         {}
func (*RootsListChangedParams) params() {}

// Method returns NotificationCancelled.
func (*CancelledNotification) Method() string { return NotificationCancelled }

// Method returns NotificationProgress.
func (*ProgressNotification) Method() string { return NotificationProgress }

// Method returns NotificationMessage.
func (*LogNotification) Method() string { return NotificationMessage }
