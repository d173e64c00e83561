package workload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Verify checks an answer in full: HTTP status and type, the JSON, the id, and what the workload asked for.
func (w Workload) Verify(lane Lane, f *Features, c *Call, r Response) error {
	raw, err := r.answer()
	if err != nil {
		return err
	}
	var envelope struct {
		JSONRPC string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Result  jsontext.Value `json:"result"`
		Error   jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return fmt.Errorf("%w in %.200q", err, raw)
	}
	if envelope.JSONRPC != "2.0" || string(envelope.ID) != strconv.FormatInt(c.ID, 10) || envelope.Error != nil || envelope.Result == nil {
		return fmt.Errorf("not the answer to %d: %.300s", c.ID, raw)
	}
	var res result
	if err := json.Unmarshal(envelope.Result, &res); err != nil {
		return fmt.Errorf("%w in %.200q", err, envelope.Result)
	}
	if lane == PerRequest && res.ResultType != "complete" {
		return fmt.Errorf("resultType %q", res.ResultType)
	}
	if w.Opens && lane == Sessions && r.Session == "" {
		return errors.New("no session was opened")
	}
	if err := w.check(lane, f, &res); err != nil {
		return fmt.Errorf("%w in %.300s", err, envelope.Result)
	}
	return nil
}

// A result holds the members of every result that is looked at.
type result struct {
	ResultType        string         `json:"resultType"`
	TTL               *int64         `json:"ttlMs"`
	Scope             string         `json:"cacheScope"`
	IsError           bool           `json:"isError"`
	Content           []content      `json:"content"`
	Contents          []resource     `json:"contents"`
	Tools             []listed       `json:"tools"`
	NextCursor        string         `json:"nextCursor"`
	ProtocolVersion   string         `json:"protocolVersion"`
	SupportedVersions []string       `json:"supportedVersions"`
	Capabilities      map[string]any `json:"capabilities"`
	ServerInfo        struct {
		Name string `json:"name"`
	} `json:"serverInfo"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type resource struct {
	URI  string `json:"uri"`
	Text string `json:"text"`
}

type listed struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	InputSchema struct {
		Type       string                    `json:"type"`
		Properties map[string]jsontext.Value `json:"properties"`
		Required   []string                  `json:"required"`
	} `json:"inputSchema"`
}

// cached reports whether the result has its cache hint, which is required at 2026-07-28 (server/utilities/caching).
func (r *result) cached(lane Lane) error {
	if lane == PerRequest && (r.TTL == nil || r.Scope == "") {
		return errors.New("no cache hint")
	}
	return nil
}

// LargeText is what the tool Large returns.
func LargeText(size int) string { return strings.Repeat("0123456789abcdef", size/16) }

func checkText(r *result, text string) error {
	if r.IsError || len(r.Content) != 1 || r.Content[0] != (content{"text", text}) {
		return errors.New("not the text that was asked for")
	}
	return nil
}

func checkPing(Lane, *Features, *result) error { return nil }

func checkRead(lane Lane, f *Features, r *result) error {
	want := wanted(f)
	if len(r.Contents) != 1 || r.Contents[0] != (resource{want.URI, want.Text}) {
		return errors.New("not the resource that was asked for")
	}
	return r.cached(lane)
}

func checkTools(lane Lane, f *Features, r *result) error {
	if len(r.Tools) != len(f.Tools) || r.NextCursor != "" {
		return fmt.Errorf("%d tools instead of %d, cursor %q", len(r.Tools), len(f.Tools), r.NextCursor)
	}
	want := map[string]Tool{}
	for _, t := range f.Tools {
		want[t.Name] = t
	}
	for _, t := range r.Tools {
		properties, required := 6, 2
		if t.Name == Echo {
			properties, required = 1, 1
		}
		schema := &t.InputSchema
		if w, ok := want[t.Name]; !ok || t.Description != w.Description || schema.Type != "object" ||
			len(schema.Properties) != properties || len(schema.Required) != required {
			return fmt.Errorf("tool %q is not as it was registered", t.Name)
		}
		delete(want, t.Name)
	}
	return r.cached(lane)
}

func checkHello(lane Lane, _ *Features, r *result) error {
	for _, name := range []string{"tools", "resources", "prompts"} {
		if r.Capabilities[name] == nil {
			return fmt.Errorf("no capability %q", name)
		}
	}
	if lane == PerRequest {
		if !slices.Contains(r.SupportedVersions, lane.Revision()) {
			return errors.New("the revision is not among those supported")
		}
		return r.cached(lane)
	}
	if r.ProtocolVersion != lane.Revision() || r.ServerInfo.Name != ServerName {
		return errors.New("another revision, or another server")
	}
	return nil
}
