package workload

import (
	"fmt"
	"strings"
)

// Features are what every contender offers.
type Features struct {
	// Tools are Echo and fillers, which are there to be listed.
	Tools     []Tool
	Resources []Resource
	Prompts   []Prompt
	// Large is the size in bytes of the text that the tool named Large returns; the tool is absent if it is 0.
	Large int
}

// The tools that are called.
const (
	// Echo returns its argument "message".
	Echo = "echo"
	// Large takes no arguments and returns a text of Features.Large bytes.
	Large = "large"
)

// What the server says it is.
const (
	ServerName    = "bench-server"
	ServerVersion = "1.0.0"
)

// A Tool has a schema that is JSON.
type Tool struct {
	Name, Description, Schema string
}

// A Resource is a text.
type Resource struct {
	URI, Name, Description, MIMEType, Text string
}

// A Prompt has one message, its name.
type Prompt struct {
	Name, Description string
	Arguments         []Argument
}

// An Argument is one of a Prompt.
type Argument struct {
	Name, Description string
	Required          bool
}

// EchoArguments are the arguments of the tool Echo.
type EchoArguments struct {
	Message string `json:"message"`
}

// FillerArguments are those of the other tools.
type FillerArguments struct {
	Query     string   `json:"query"`
	Limit     int      `json:"limit"`
	Threshold float64  `json:"threshold,omitempty"`
	Verbose   bool     `json:"verbose,omitempty"`
	Format    string   `json:"format,omitempty"`
	Tags      []string `json:"tags,omitempty"`
}

const (
	echoSchema = `{"type":"object","properties":{"message":{"type":"string","description":"Text to send back"}},"required":["message"]}`

	fillerSchema = `{"type":"object","properties":{` +
		`"query":{"type":"string","description":"Free text query to match against"},` +
		`"limit":{"type":"integer","description":"Maximum number of items to return","minimum":1,"maximum":100},` +
		`"threshold":{"type":"number","description":"Minimum score an item must reach"},` +
		`"verbose":{"type":"boolean","description":"Whether to include all details"},` +
		`"format":{"type":"string","description":"Output format","enum":["text","json","markdown"]},` +
		`"tags":{"type":"array","description":"Only items carrying all of these tags","items":{"type":"string"}}` +
		`},"required":["query","limit"]}`
)

// StandardTools is the number of tools but for the workload that varies it.
const StandardTools = 51

// NewFeatures returns features with the given number of tools, 20 resources of 4 KiB and 10 prompts.
func NewFeatures(tools int) *Features {
	f := &Features{Tools: []Tool{{Echo, "Echoes the message back to the caller.", echoSchema}}}
	for i := 1; i < tools; i++ {
		f.Tools = append(f.Tools, Tool{
			Name:        fmt.Sprintf("search_index_%04d", i),
			Description: fmt.Sprintf("Searches index number %04d for items that match the query and returns the best ones first, with optional details. ....", i),
			Schema:      fillerSchema,
		})
	}
	for i := range 20 {
		f.Resources = append(f.Resources, Resource{
			URI:         fmt.Sprintf("bench://docs/item-%02d", i),
			Name:        fmt.Sprintf("item-%02d", i),
			Description: fmt.Sprintf("Document number %02d of the benchmark corpus.", i),
			MIMEType:    "text/plain",
			Text:        Text(4096, fmt.Sprintf("document %02d:", i)),
		})
	}
	for i := range 10 {
		f.Prompts = append(f.Prompts, Prompt{
			Name:        fmt.Sprintf("prompt_%02d", i),
			Description: fmt.Sprintf("Benchmark prompt number %02d.", i),
			Arguments:   []Argument{{"topic", "What to write about", true}, {"tone", "How to write it", false}},
		})
	}
	return f
}

// Text returns n bytes of printable text that begin with seed, with line feeds and quoted words, so that escaping has
// something to do.
func Text(n int, seed string) string {
	words := strings.Fields(`alpha bravo charlie "delta" echo foxtrot golf hotel india juliett kilo lima mike november
		oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu`)
	var text strings.Builder
	text.WriteString(seed)
	column, next := len(seed), len(seed)
	for text.Len() < n {
		word := words[next%len(words)]
		next += 7
		if column+len(word)+1 > 80 {
			text.WriteByte('\n')
			column = 0
		} else {
			text.WriteByte(' ')
		}
		text.WriteString(word)
		column += len(word) + 1
	}
	return text.String()[:n]
}
