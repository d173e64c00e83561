package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Schema judges the messages of one revision. It may be used by several goroutines at once. Get one from For.
type Schema struct {
	document   *document
	others     []*document
	validators map[string]*jsonschema.Schema
}

// Revision is the revision that the schema describes.
func (s *Schema) Revision() string { return s.document.Revision }

// CheckServerMessage judges a message that a server sent: a response, a request or a notification. For a
// response, requestMethod is the method of the client's request that it answers; if it is empty, only what holds
// of every result is checked. The problems come in the order of their paths; none means that all is well.
//
// Where the revision has batches (2025-03-26 basic/index#batching) an array is checked item by item, each
// response in it as an answer to requestMethod.
func (s *Schema) CheckServerMessage(raw jsontext.Value, requestMethod string) []Problem {
	return s.check(raw, server, requestMethod)
}

// CheckClientMessage is CheckServerMessage for the other direction: requestMethod is the method of the server's
// request that a client's response answers.
func (s *Schema) CheckClientMessage(raw jsontext.Value, requestMethod string) []Problem {
	return s.check(raw, client, requestMethod)
}

// ServerSends reports whether the revision has a request of that method, or else a notification, that servers send.
func (s *Schema) ServerSends(method string, request bool) bool {
	return s.sends(server, method, request)
}

// ClientSends is ServerSends for clients.
func (s *Schema) ClientSends(method string, request bool) bool {
	return s.sends(client, method, request)
}

func (s *Schema) sends(from role, method string, request bool) bool {
	table := s.document.Messages[from].Notifications
	if request {
		table = s.document.Messages[from].Requests
	}
	_, ok := table[method]
	return ok
}

// CheckDefinition holds a value against one definition of the schema, by its name in the file. It looks for
// foreign vocabulary only where other revisions have a definition of the same name. It fails if there is no
// such definition.
func (s *Schema) CheckDefinition(raw jsontext.Value, definition string) ([]Problem, error) {
	def, ok := s.document.Defs[definition]
	if !ok {
		return nil, fmt.Errorf("revision %s has no definition %q", s.Revision(), definition)
	}
	value, bad := decode(raw)
	if bad != nil {
		return []Problem{*bad}, nil
	}
	here := place{own: []*node{def}, others: s.elsewhere(func(d *document) []*node {
		if other, ok := d.Defs[definition]; ok {
			return []*node{other}
		}
		return nil
	})}
	return sorted(s.judge("", definition, value, here)), nil
}

func (s *Schema) check(raw jsontext.Value, from role, requestMethod string) []Problem {
	value, bad := decode(raw)
	if bad != nil {
		return []Problem{*bad}
	}
	items, isBatch := value.([]any)
	if !isBatch {
		return sorted(s.checkOne("", value, from, requestMethod))
	}
	if !s.document.Batch {
		return []Problem{shapeProblem("", "is a batch; this revision has none")}
	}
	if len(items) == 0 {
		return []Problem{shapeProblem("", "is an empty batch")}
	}
	var problems []Problem
	for i, item := range items {
		problems = append(problems, s.checkOne(at("", strconv.Itoa(i)), item, from, requestMethod)...)
	}
	return sorted(problems)
}

func (s *Schema) checkOne(path string, value any, from role, requestMethod string) []Problem {
	e, problems := open(path, value)
	if len(problems) > 0 {
		return problems
	}
	switch {
	case e.request():
		return s.checkCall(path, e, from, s.document.Messages[from].Requests)
	case e.notification():
		return s.checkCall(path, e, from, s.document.Messages[from].Notifications)
	case len(s.document.Messages[from.peer()].Requests) == 0:
		return []Problem{{path, KindSchema, fmt.Sprintf("is a response; a %s of this revision is never asked", from)}}
	case e.has("result"):
		return s.checkResult(at(path, "result"), e.members["result"], from, requestMethod)
	default:
		return s.checkError(at(path, "error"), e.members["error"].(map[string]any))
	}
}

// checkCall judges a request or a notification; table is where its method should be.
func (s *Schema) checkCall(path string, e envelope, from role, table map[string]message) []Problem {
	row, ok := table[e.method]
	if !ok {
		return s.misplaced(path, e, from, table)
	}
	path = at(path, "params")
	if !e.has("params") {
		if row.ParamsOptional {
			return nil
		}
		return []Problem{{path, KindSchema, fmt.Sprintf("is missing; %s has params", e.method)}}
	}
	here := place{own: []*node{row.Params.node}, others: s.elsewhere(func(d *document) []*node {
		if other, ok := d.Messages[from].lookup(e.method); ok {
			return []*node{other.Params.node}
		}
		return nil
	})}
	return s.judge(path, row.Params.Name, e.params, here)
}

// misplaced says why a method is not in its table. Methods that no revision knows belong to extensions and
// experiments, of which a schema knows nothing.
func (s *Schema) misplaced(path string, e envelope, from role, table map[string]message) []Problem {
	method := at(path, "method")
	if _, ok := s.document.Messages[from].lookup(e.method); ok {
		if e.request() {
			return []Problem{shapeProblem(at(path, "id"), "stands in %s, which is a notification", e.method)}
		}
		return []Problem{shapeProblem(path, `lacks the member "id"; %s is a request`, e.method)}
	}
	if _, ok := s.document.Messages[from.peer()].lookup(e.method); ok {
		return []Problem{{method, KindSchema, fmt.Sprintf("is %s, which no %s sends", e.method, from)}}
	}
	if revisions := s.known(e.method); len(revisions) > 0 {
		return []Problem{{method, KindForeign, s.belongs("method", e.method, revisions)}}
	}
	if len(table) == 0 {
		return []Problem{{path, KindSchema, fmt.Sprintf("is a request; a %s of this revision sends none", from)}}
	}
	return nil
}

// known lists the other revisions that have a method, whichever side sends it.
func (s *Schema) known(method string) []string {
	var revisions []string
	for _, d := range s.others {
		_, byClient := d.Messages[client].lookup(method)
		_, byServer := d.Messages[server].lookup(method)
		if byClient || byServer {
			revisions = append(revisions, d.Revision)
		}
	}
	return revisions
}

func (s *Schema) checkResult(path string, result any, from role, requestMethod string) []Problem {
	row, ok := s.document.Messages[from.peer()].Requests[requestMethod]
	if !ok {
		if revisions := s.known(requestMethod); len(revisions) > 0 {
			return []Problem{{path, KindForeign, s.belongs("method", requestMethod, revisions) + ", and still it was answered with a result"}}
		}
		row.Results = []*name{{Name: "Result", node: s.document.Defs["Result"]}}
	}
	here := place{own: nodesOf(row.Results), others: s.elsewhere(func(d *document) []*node {
		if other, ok := d.Messages[from.peer()].Requests[requestMethod]; ok {
			return nodesOf(other.Results)
		}
		return []*node{d.Defs["Result"]} // what holds of every result there
	})}
	return s.judge(path, choose(row.Results, result), result, here)
}

// choose names the result definition for which a value is meant, or the usual one if it is meant for none.
func choose(results []*name, value any) string {
	fitting, _ := branches(nodesOf(results), value)
	for _, r := range results {
		if slices.Contains(fitting, r.node.resolve()) {
			return r.Name
		}
	}
	return results[0].Name
}

func nodesOf(names []*name) []*node {
	nodes := make([]*node, len(names))
	for i, n := range names {
		nodes[i] = n.node
	}
	return nodes
}

// checkError judges an error whose shape is right already: the data that its code promises.
func (s *Schema) checkError(path string, failure map[string]any) []Problem {
	code, _ := failure["code"].(json.Number)
	def, ok := s.document.Errors[code.String()]
	if !ok {
		return nil
	}
	return s.validate(path, def.Name, failure)
}

// judge holds a value against its definition and looks for foreign vocabulary. What is foreign explains what
// does not fit there, so that it is reported once.
func (s *Schema) judge(path, def string, value any, here place) []Problem {
	w := walker{schema: s}
	w.walk(path, value, here)
	problems := slices.DeleteFunc(s.validate(path, def, value), func(p Problem) bool {
		return slices.ContainsFunc(w.scopes, func(scope string) bool { return within(p.Path, scope) })
	})
	return append(problems, w.found...)
}

// elsewhere collects, for each other revision, the schemas that stand at the same position.
func (s *Schema) elsewhere(find func(*document) []*node) []foreign {
	var all []foreign
	for _, d := range s.others {
		if nodes := find(d); len(nodes) > 0 {
			all = append(all, foreign{document: d, nodes: nodes})
		}
	}
	return all
}

// belongs words the finding that something is vocabulary of other revisions.
func (s *Schema) belongs(what, which string, revisions []string) string {
	return fmt.Sprintf("%s %s belongs to %s, not to %s", what, which, list(revisions), s.Revision())
}
