package sse

import (
	"bytes"
	"strconv"
	"time"
)

// AppendMessage appends one event that carries a message, with an id unless it is empty. The message may hold line breaks;
// each line becomes a data line of its own, which a reader joins again.
//
// The id must hold no line break and no NUL: both would end it early.
func AppendMessage(b []byte, id string, message []byte) []byte {
	b = AppendID(b, id)
	b = append(b, "event: message\n"...)
	for {
		i := bytes.IndexAny(message, "\r\n")
		if i < 0 {
			break
		}
		b = appendData(b, message[:i])
		if message[i] == '\r' && i+1 < len(message) && message[i+1] == '\n' {
			i++
		}
		message = message[i+1:]
	}
	b = appendData(b, message)
	return append(b, '\n')
}

func appendData(b, line []byte) []byte {
	b = append(b, "data: "...)
	b = append(b, line...)
	return append(b, '\n')
}

// AppendID appends an id field, which belongs to the event that is being written. An empty id appends nothing.
func AppendID(b []byte, id string) []byte {
	if id == "" {
		return b
	}
	b = append(b, "id: "...)
	b = append(b, id...)
	return append(b, '\n')
}

// AppendPriming appends an event that carries an id and empty data, from which a client can resume before any message came
// (2025-11-25 basic/transports#sending-messages-to-the-server).
func AppendPriming(b []byte, id string) []byte {
	b = AppendID(b, id)
	return append(b, "data: \n\n"...)
}

// AppendRetry appends an event that tells a client how long to wait before it connects again, rounded to milliseconds.
func AppendRetry(b []byte, wait time.Duration) []byte {
	b = append(b, "retry: "...)
	b = strconv.AppendInt(b, wait.Milliseconds(), 10)
	return append(b, "\n\n"...)
}

// AppendKeepAlive appends a comment, which carries nothing and keeps the connection from being closed as idle.
func AppendKeepAlive(b []byte) []byte { return append(b, ":\n\n"...) }
