package schema

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const officialSchemas = "../../../shared/spec"

// namesOf gives the mapping from official names of definitions to ours.
func namesOf(revision string) func(string) string {
	return func(official string) string {
		for _, key := range []string{revision + " " + official, official} {
			if name, ok := renamed[key]; ok {
				return name
			}
		}
		return official
	}
}

// renamed are the definitions that have other names here, for one revision or for all.
var renamed = map[string]string{
	"2025-03-26 ResourceReference":        "ResourceTemplateReference",
	"2025-06-18 EnumSchema":               "LegacyTitledEnumSchema",
	"MetaObject":                          "Meta",
	"RequestMetaObject":                   "RequestMeta",
	"NotificationMetaObject":              "NotificationMeta",
	"ResultMetaObject":                    "ResultMeta",
	"SubscriptionsListenResultMetaObject": "ListenResultMeta",
	"GetTaskResult":                       "TaskResult",
	"CancelTaskResult":                    "TaskResult",
	"GetTaskPayloadResult":                "TaskPayloadResult",
}

// Every definition of the official schemas is compared with its counterpart here, member by member. What the two
// disagree on must be excused in exclusions, and every excuse must be needed.
func TestAgreesWithOfficialSchemas(t *testing.T) {
	if _, err := os.Stat(officialSchemas); err != nil {
		t.Skip("../shared is absent: no official schemas to compare with")
	}
	used := map[string]bool{}
	for _, revision := range Revisions() {
		t.Run(revision, func(t *testing.T) {
			s, err := For(revision)
			require.NoError(t, err)
			for _, difference := range differences(t, s) {
				excuse := slices.IndexFunc(exclusions, func(e exclusion) bool {
					return regexp.MustCompile("^(?:" + e.pattern + ")").MatchString(difference)
				})
				if excuse < 0 {
					t.Errorf("disagrees with the official schema: %s", difference)
				} else {
					used[exclusions[excuse].pattern] = true
				}
			}
		})
	}
	for _, e := range exclusions {
		assert.True(t, used[e.pattern], "exclusion %q matches no difference any more: delete it", e.pattern)
		assert.NotEmpty(t, e.reason, "exclusion %q needs a reason", e.pattern)
	}
}

// differences compares two whole files. Each difference begins with the revision and the official definition.
func differences(t *testing.T, s *Schema) []string {
	file := readObject(t, filepath.Join(officialSchemas, s.Revision(), "schema.json"))
	var own map[string]any
	require.NoError(t, json.Unmarshal(s.document.raw, &own))
	c := &comparison{official: newBook(file, namesOf(s.Revision())), ours: newBook(own, func(name string) string { return name }), pairs: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(c.official.defs)) {
		compareDefinition(c, s.document, name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.ours.defs)) {
		if !c.ours.visited[name] {
			c.differ(name, "only we have the definition")
		}
	}
	for i, difference := range c.differences {
		c.differences[i] = s.Revision() + " " + difference
	}
	return c.differences
}

func compareDefinition(c *comparison, d *document, name string) {
	def, _ := c.official.open(c.official.defs[name])
	members, _ := def["properties"].(map[string]any)
	ourName := c.official.ourName(name)
	if _, ok := c.ours.defs[ourName]; ok && members["error"] == nil {
		c.compare(name, map[string]any{"$ref": "#/$defs/" + name}, map[string]any{"$ref": "#/$defs/" + ourName})
		return
	}
	switch {
	case trafficUnions[name] != "":
		compareTraffic(c, d, name)
	case strings.HasSuffix(name, "ResultResponse") && members["result"] != nil && name != "JSONRPCResultResponse":
		compareResults(c, d, name, members["result"])
	case members["error"] != nil && c.ours.defs[name] != nil:
		c.compare(name, members["error"], c.ours.def(name))
	case methodOf(def) != "":
		compareMessage(c, d, name, def)
	default:
		c.differ(name, "we lack the definition")
	}
}

func methodOf(def map[string]any) string {
	members, _ := def["properties"].(map[string]any)
	method, _ := members["method"].(map[string]any)
	text, _ := method["const"].(string)
	return text
}

// compareMessage compares a request or notification with its row in the table of messages.
func compareMessage(c *comparison, d *document, name string, def map[string]any) {
	method := methodOf(def)
	for _, from := range []role{client, server} {
		row, ok := d.Messages[from].lookup(method)
		if !ok {
			continue
		}
		if optional := !slices.Contains(sortedStrings(def["required"]), "params"); optional != row.ParamsOptional {
			c.differ(name, "params are optional: %t, ours %t", optional, row.ParamsOptional)
		}
		members := def["properties"].(map[string]any)
		c.both(name+"/params", "params", members["params"], map[string]any{"$ref": "#/$defs/" + row.Params.Name})
		return
	}
	c.differ(name, "we lack the method %s", method)
}

// trafficUnions are the official lists of what a side may send.
var trafficUnions = map[string]string{
	"ClientRequest": "client requests", "ClientNotification": "client notifications",
	"ServerRequest": "server requests", "ServerNotification": "server notifications",
}

func compareTraffic(c *comparison, d *document, name string) {
	side, table, _ := strings.Cut(trafficUnions[name], " ")
	ours := d.Messages[role(side)].Requests
	if table == "notifications" {
		ours = d.Messages[role(side)].Notifications
	}
	official := map[string]message{}
	def, _ := c.official.open(c.official.defs[name])
	branches := asList(def["anyOf"])
	if branches == nil {
		branches = []any{def} // one member, not wrapped in a union
	}
	for _, branch := range branches {
		opened, _ := c.official.open(branch)
		official[methodOf(opened)] = message{}
	}
	for _, method := range union(official, ours) {
		_, theirs := official[method]
		_, own := ours[method]
		if theirs != own {
			c.differ(name, "method %s is listed: %t, ours %t", method, theirs, own)
		}
	}
}

// compareResults compares the official list of results for a request with ours.
func compareResults(c *comparison, d *document, name string, result any) {
	request := strings.TrimSuffix(name, "ResultResponse") + "Request"
	def, _ := c.official.open(c.official.defs[request])
	opened, single := c.official.open(result)
	official := map[string]string{}
	if single != "" {
		official[single] = single
	}
	for _, branch := range asList(opened["anyOf"]) {
		_, branchName := c.official.open(branch)
		official[branchName] = branchName
	}
	ours := map[string]string{}
	for _, r := range d.Messages[client].Requests[methodOf(def)].Results {
		ours[r.Name] = r.Name
	}
	for _, r := range union(official, ours) {
		if official[r] != ours[r] {
			c.differ(name, "result %q, ours %q", official[r], ours[r])
		}
	}
}

// Each official example of a definition is accepted by ours of the same name; of a whole message, by the checker.
func TestAcceptsOfficialExamples(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(officialSchemas, "*", "examples", "*", "*.json"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skip("../shared is absent: no official examples to check")
	}
	used := map[string]bool{}
	for _, path := range paths {
		parts := strings.Split(filepath.ToSlash(path), "/")
		definition, revision := parts[len(parts)-2], parts[len(parts)-4]
		s, err := For(revision)
		require.NoError(t, err)
		example := definition + "/" + parts[len(parts)-1]
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		problems := checkExample(t, s, definition, raw)
		if _, ok := flawedExamples[example]; ok && len(problems) > 0 {
			used[example] = true
			continue
		}
		assert.Empty(t, problems, "%s %s", revision, example)
	}
	for example := range flawedExamples {
		assert.True(t, used[example], "the example %s is accepted: delete the exception", example)
	}
}

// flawedExamples break the revision they illustrate.
var flawedExamples = map[string]string{
	"ReadResourceResultResponse/read-resource-result-response.json": "lacks ttlMs and cacheScope, which server/utilities/caching demands of every complete result of resources/read",
}

func checkExample(t *testing.T, s *Schema, definition string, raw []byte) []Problem {
	if method, ok := strings.CutSuffix(definition, "ResultResponse"); ok {
		for requestMethod := range s.document.Messages[client].Requests {
			if s.officialRequest(t, requestMethod) == method+"Request" {
				return s.CheckServerMessage(raw, requestMethod)
			}
		}
		return []Problem{{Text: fmt.Sprintf("no method for %s", definition)}}
	}
	var value map[string]any
	if json.Unmarshal(raw, &value) == nil && value["jsonrpc"] != nil {
		if value["method"] != nil && s.document.Messages[client].Requests[value["method"].(string)].Params != nil {
			return s.CheckClientMessage(raw, "")
		}
		if value["method"] == nil || s.document.Messages[server].Notifications[value["method"].(string)].Params != nil {
			return s.CheckServerMessage(raw, "")
		}
	}
	problems, err := s.CheckDefinition(raw, namesOf(s.Revision())(definition))
	require.NoError(t, err)
	return problems
}

// officialRequest is the official name of the request with a method.
func (s *Schema) officialRequest(t *testing.T, method string) string {
	file := readObject(t, filepath.Join(officialSchemas, s.Revision(), "schema.json"))
	for name, def := range newBook(file, nil).defs {
		if methodOf(def.(map[string]any)) == method {
			return name
		}
	}
	return ""
}

func readObject(t *testing.T, path string) map[string]any {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, json.Unmarshal(raw, &object))
	return object
}
