package requirements

import "strings"

// Clause is a place in the specification, or in a document that it refers to.
type Clause struct {
	// Revision is the revision whose text it is.
	Revision string
	// Page is the path of a page of that revision, such as "basic/transports"; "schema", a definition of its
	// schema; or, with the prefixes docs/, seps/, ext-tasks: and ext-apps:, a document outside the revision.
	Page string
	// Anchor is a heading on the page or the name of a definition; it may be empty.
	Anchor string

	schema string // the page on which the definitions of the revision can be read
}

const site = "https://modelcontextprotocol.io/"

// parseClause reads a clause as the files write it: page#anchor.
func parseClause(text string) Clause {
	page, anchor, _ := strings.Cut(text, "#")
	if page == "schema.ts" {
		page = "schema"
	}
	return Clause{Page: page, Anchor: anchor}
}

// String gives the clause as page#anchor, without the revision.
func (c Clause) String() string {
	if c.Anchor == "" {
		return c.Page
	}
	return c.Page + "#" + c.Anchor
}

// URL is a public link to the clause.
func (c Clause) URL() string {
	url, anchor := c.page(), c.Anchor
	if c.Page == "schema" {
		if anchor = strings.ToLower(anchor); !strings.HasPrefix(url, site) {
			anchor = "" // a source file, which has no anchors
		}
	}
	if anchor == "" {
		return url
	}
	return url + "#" + anchor
}

func (c Clause) page() string {
	switch repository, path, ok := strings.Cut(c.Page, ":"); {
	case ok:
		if !strings.HasSuffix(path, ".ts") {
			path += ".mdx"
		}
		return "https://github.com/modelcontextprotocol/" + repository + "/blob/main/" + path
	case c.Page == "schema":
		return c.schema
	case strings.HasPrefix(c.Page, "docs/extensions/"):
		return site + strings.TrimPrefix(c.Page, "docs/")
	case strings.HasPrefix(c.Page, "docs/"), strings.HasPrefix(c.Page, "seps/"):
		return site + c.Page
	case c.Page == "index":
		return site + "specification/" + c.Revision
	default:
		return site + "specification/" + c.Revision + "/" + strings.TrimSuffix(c.Page, "/index")
	}
}
