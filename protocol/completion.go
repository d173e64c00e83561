package protocol

// CompleteParams ask for values that a user may be about to type.
type CompleteParams struct {
	// Prompt or Template is set: the name of a prompt, or the URI template of resources.
	Prompt, Template string
	// Argument is the blank being filled in, Value what was typed so far.
	Argument, Value string
	// Arguments are the blanks filled in before.
	Arguments map[string]string
}

// CompleteResult holds the suggestions, at most MaxCompletions.
type CompleteResult struct {
	ResultBase
	Values []string
	// Total is how many there are in all, nil if unknown.
	Total *int64
	// HasMore: there are more than Values.
	HasMore bool
}

// MaxCompletions is how many values a CompleteResult may hold.
const MaxCompletions = 100

func (*CompleteParams) params() {}
