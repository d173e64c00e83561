package report

import "regexp"

// reasons say why a function is among the largest. The first whose pattern matches is given; what has none is shown with an
// empty cell, and then wants a line here.
var reasons = []struct {
	function *regexp.Regexp
	why      string
}{
	{regexp.MustCompile(`^\(garbage collection`), "marks and sweeps what requests leave behind; it falls with the bytes per request"},
	{regexp.MustCompile(`^\(scheduler\)`), "the runtime by itself: timers, preemption, idle"},
	{regexp.MustCompile(`^jsonrpc\.`), "takes the envelope apart; params and _meta stay text"},
	{regexp.MustCompile(`^rawjson\.(Split|split|Sure|sure.*|\(\*names\)|after|plainEnd|space|digits|ends)`), "checks that the body is JSON: grammar, UTF-8, no member twice"},
	{regexp.MustCompile(`^rawjson\.(AppendString|asciiEnd|special|stands|appendEscaped)`), "quotes the texts of the result"},
	{regexp.MustCompile(`^(jsontext|jsonwire)\.(AppendQuote|appendEscaped)`), "quotes the texts of the result"},
	{regexp.MustCompile(`^(jsontext|jsonwire)\.`), "checks that the body is JSON: grammar, UTF-8, no member twice"},
	{regexp.MustCompile(`^json\.`), "decodes the arguments into the tool's type"},
	{regexp.MustCompile(`^rawjson\.String`), "a text that is kept, such as the tool's name, becomes a Go string"},
	{regexp.MustCompile(`^rawjson\.`), "goes over members of JSON that has been checked"},
	{regexp.MustCompile(`^bytes\.IndexByte|^strings\.IndexByte`), "finds the ends of texts"},
	{regexp.MustCompile(`^wire\.\(\*Codec\)\.Append`), "writes the result"},
	{regexp.MustCompile(`^wire\.|^20\d\d-\d\d-\d\d\.`), "decodes params into neutral types and encodes the result, by the revision's tables"},
	{regexp.MustCompile(`^negotiate\.|selectRevision|Negotiated|\.choose$`), "decides which revision serves the message"},
	{regexp.MustCompile(`^session\.|^simplelru\.|findSession`), "looks the session up, and marks it as used"},
	{regexp.MustCompile(`^rpc\.(Answer|appendResult|sharedTail|\(\*Served\))`), "carries the message from one step to the next"},
	{regexp.MustCompile(`^rpc\.|\.\(\*lives\)|\(\*life\)|lifeShard`), "registers the call, so that it can be cancelled, and forgets it"},
	{regexp.MustCompile(`^context\.`), "the call's own context, which a cancellation ends"},
	{regexp.MustCompile(`^server\.\(\*Server\)\.NewCall`), "what the handler is given to speak through"},
	{regexp.MustCompile(`^server\.AddTool`), "holds the typed arguments and calls the tool"},
	{regexp.MustCompile(`^server\.(textResult|toResult)`), "turns what the tool returned into a result"},
	{regexp.MustCompile(`^schema\.|^v6\.|^jsonschema\.`), "checks the arguments against the tool's schema"},
	{regexp.MustCompile(`^server\.`), "finds what is asked for, runs it, checks the result"},
	{regexp.MustCompile(`guard|^netip\.|^url\.`), "checks Host and Origin"},
	{regexp.MustCompile(`\.(post|serve|newRequest)$`), "the request on its way through: headers and message, one object"},
	{regexp.MustCompile(`\.read$|^io\.|^bytes\.`), "reads the body"},
	{regexp.MustCompile(`\.write$|^http\.|^textproto\.|^strconv\.`), "writes headers and body"},
	{regexp.MustCompile(`^streamable\.`), "carries the message from one step to the next"},
	{regexp.MustCompile(`^(sync|atomic)\.`), "locks, counters and pools, each held for a few instructions"},
	{regexp.MustCompile(`^time\.`), "deadlines for reading the body, and when a session was used"},
	{regexp.MustCompile(`^maphash\.|^maps\.`), "finds the session's and the call's shard"},
	{regexp.MustCompile(`^contender\.`), "the tool itself"},
	{regexp.MustCompile(`^(slices|unicode|utf8|strings)\.`), "compares and checks texts"},
}

func why(function string) string {
	for _, r := range reasons {
		if r.function.MatchString(function) {
			return r.why
		}
	}
	return ""
}
