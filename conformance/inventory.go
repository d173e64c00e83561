package conformance

import (
	"context"
	"strconv"
	"strings"

	"github.com/parley-mcp/parley/conformance/match"
	"github.com/parley-mcp/parley/conformance/report"
	"github.com/parley-mcp/parley/conformance/revision"
)

// An inventory is what a server says of itself at one revision.
type inventory struct {
	server       report.Software
	capabilities *match.Value
	names        map[string]bool         // of tools and prompts, and URIs and templates of resources
	tools        map[string]*match.Value // by name
	protected    bool                    // over HTTP: it takes the run's token, and refuses requests without it
	metadata     string                  // the path of its protected resource metadata; empty if they are not on its host
	sessions     bool                    // it remembers who it has opened with: it opened a session over HTTP, or is a process
	modern       bool                    // it speaks no revision with a handshake
	tokens       map[string]string       // those of the run that are not good, by kind
	entries      map[string]int          // how many entries the lists have, by method
	pages        map[string]int          // ... and pages
}

// learn takes in an InitializeResult or a DiscoverResult.
func (v *inventory) learn(result *match.Value) {
	v.capabilities = result.Get("capabilities")
	info := result.Get("serverInfo")
	if info == nil {
		info = result.Get("_meta", revision.MetaServer)
	}
	v.server = report.Software{Name: info.Get("name").Str(), Version: info.Get("version").Str()}
}

// lacks says what a transcript needs that the server does not have; empty if it has all.
func (v *inventory) lacks(fixtures, capabilities []string) string {
	for _, c := range capabilities {
		if lack := v.misses(c); lack != "" {
			return lack
		}
	}
	for _, f := range fixtures {
		if !v.names[f] {
			return "the server does not list " + f
		}
	}
	return ""
}

// misses says why the server does not fit one word of the key capability; empty if it does.
func (v *inventory) misses(word string) string {
	what, name, _ := strings.Cut(word, ":")
	switch {
	case word == "http:session" && !v.sessions:
		return "the server opens no sessions over HTTP"
	case word == "http:authorization" && !v.protected:
		return "the server was not seen to refuse a request for having no token: that takes a server that does, and a good token (--bearer)"
	case word == "http:metadata" && v.metadata == "":
		return "the server is not known to have protected resource metadata on its own host"
	case what == "token" && v.tokens[name] == "":
		return "no token of this kind was given (--token " + name + "=...)"
	case word == "only:stateless" && !v.modern:
		return "the server is not known to speak only revisions without a handshake"
	case what == "no" && revision.Declares(v.capabilities, name):
		return "the server declares the capability " + name
	case what == "entries" && v.entries[name] == 0:
		return "the server has no entry in the answer to " + name
	case what == "pages" && v.pages[name] < 2:
		return "the server has no second page of the answer to " + name
	case !strings.Contains(word, ":") && !revision.Declares(v.capabilities, word):
		return "the server does not declare the capability " + word
	}
	return ""
}

// lists says which lists there are: method, capability that announces it, member of the result, member that names an entry.
var lists = []struct{ method, capability, member, name string }{
	{"tools/list", "tools", "tools", "name"},
	{"prompts/list", "prompts", "prompts", "name"},
	{"resources/list", "resources", "resources", "uri"},
	{"resources/templates/list", "resources", "resourceTemplates", "uriTemplate"},
}

// maxPages bounds how far a list is followed: a cursor may lead in a circle.
const maxPages = 50

// takeStock asks the server for its lists. What it does not answer is taken as empty: the transcripts about lists judge that.
func (p *player) takeStock(ctx context.Context) {
	v := p.inventory
	v.names, v.tools = map[string]bool{}, map[string]*match.Value{}
	v.entries, v.pages = map[string]int{}, map[string]int{}
	id := 990100
	for _, list := range lists {
		if v.capabilities.Get(list.capability) == nil {
			continue
		}
		var cursor *match.Value
		for range maxPages {
			id++
			result := p.page(ctx, id, list.method, cursor)
			entries := result.Get(list.member)
			if entries == nil {
				break
			}
			v.pages[list.method]++
			v.entries[list.method] += len(entries.Items)
			for _, entry := range entries.Items {
				name := entry.Get(list.name).Str()
				v.names[name] = true
				if list.member == "tools" {
					v.tools[name] = entry
				}
			}
			if cursor = result.Get("nextCursor"); cursor.Str() == "" {
				break
			}
		}
	}
}

func (p *player) page(ctx context.Context, id int, method string, cursor *match.Value) *match.Value {
	params := match.Object()
	if meta := p.facts.Meta(match.Meta{}); meta != nil {
		params.Set("_meta", meta)
	}
	if cursor != nil {
		params.Set("cursor", cursor)
	}
	answer, err := p.ask(ctx, request(strconv.Itoa(id), method, params))
	if err != nil {
		return nil
	}
	return answer.Get("result")
}

func request(id, method string, params *match.Value) *match.Value {
	return match.Object(
		match.Member{Name: "jsonrpc", Value: match.String("2.0")},
		match.Member{Name: "id", Value: match.Number(id)},
		match.Member{Name: "method", Value: match.String(method)},
		match.Member{Name: "params", Value: params})
}

// speaks finds out whether the server speaks the player's revision, and takes stock if so. err is set if the server could
// not be reached at all.
func (p *player) speaks(ctx context.Context) (yes bool, why string, err error) {
	if p.facts.Handshake {
		err = p.open(ctx)
	} else {
		err = p.discover(ctx)
	}
	if err != nil {
		return false, p.mask.Hide(err.Error()), p.unreachable()
	}
	p.inventory.sessions = !p.http || p.session.id != "" // a process is a session of its own
	p.inventory.tokens = p.server.tokens
	p.takeStock(ctx)
	p.leave(ctx)
	p.findGuard(ctx)
	p.leave(ctx) // a server without a guard has opened once more
	return true, "", nil
}

// unreachable returns an error if no byte ever came from the server.
func (p *player) unreachable() error {
	if p.last == nil {
		return nil
	}
	x := p.last.exchange
	if p.http && x.Received() == "" && p.box.endErr[x] != nil {
		return p.box.endErr[x]
	}
	return nil
}

// discover asks what the server supports (2026-07-28 server/discover).
func (p *player) discover(ctx context.Context) error {
	answer, err := p.ask(ctx, request(openID, "server/discover", match.Object(
		match.Member{Name: "_meta", Value: p.facts.Meta(match.Meta{})})))
	if err != nil {
		return err
	}
	result := answer.Get("result")
	var supported []string
	if list := result.Get("supportedVersions"); list != nil {
		for _, v := range list.Items {
			supported = append(supported, v.Str())
			if v.Str() == p.facts.Version {
				p.inventory.learn(result)
				return nil
			}
		}
		return &notSpoken{"server/discover names only " + strings.Join(supported, ", ")}
	}
	return &notSpoken{"server/discover was answered with " + cut(answer.String(), 200)}
}

type notSpoken struct{ why string }

func (e *notSpoken) Error() string { return e.why }
