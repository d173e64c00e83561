package report

// Style is the style sheet of the HTML report, for other pages that shall look like it: they put it into a style element,
// with rules of their own behind it.
func Style() string { return pageCSS }

// Policy is a content security policy that admits one script and one style sheet, by their hashes, and nothing from
// anywhere else. The texts are those of the elements, byte by byte.
func Policy(script, style string) string {
	return "default-src 'none'; script-src '" + digest(script) + "'; style-src '" + digest(style) +
		"'; img-src data:; base-uri 'none'; form-action 'none'"
}
