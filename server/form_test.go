package server_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/revisions"
	"github.com/parley-mcp/parley/server"
)

// A form is a struct: what its tags say is what the client is asked for, and what it sends back is held to it.

type everyKind struct {
	Name    string   `json:"name" form:"title=Name;min=1;max=9;default=ada" jsonschema:"who you are"`
	Mail    string   `json:"mail,omitempty" form:"format=email"`
	Age     int      `json:"age,omitzero" form:"min=18;max=99;default=30"`
	Weight  float64  `json:"weight,omitempty" form:"min=0.5"`
	Small   uint8    `json:"small,omitempty"`
	Happy   bool     `json:"happy,omitempty" form:"default=true"`
	Stage   string   `json:"stage,omitempty" form:"enum=dev|prod;default=dev"`
	Region  string   `json:"region,omitempty" form:"enum=eu|us;titles=Europe|United States;default=eu"`
	Old     string   `json:"old,omitempty" form:"enum=a|b;titles=A|B;legacy"`
	Zones   []string `json:"zones,omitempty" form:"enum=a|b|c;min=1;max=2;default=a|b"`
	Colours []string `json:"colours,omitempty" form:"enum=r|g;titles=Red|Green"`
	Untold  string   `json:",omitempty"`
	private string
	Skipped func() `json:"-"`
	embedded
}

type embedded struct {
	Deep string `json:"deep,omitempty"`
}

// requested returns the schema that a form becomes at a revision that sends it as a request.
func requested(t testing.TB, codec protocol.Codec, q server.Question) (schema object) {
	t.Helper()
	s := newServer(t, server.Options{})
	p := newPeer(t, s, codec).declare(everything)
	p.in.Stream = &talker{ear{peer: p}, func(_ string, params object) (string, error) {
		schema = params["requestedSchema"].(object)
		return `{"action":"decline"}`, nil
	}}
	require.ErrorIs(t, s.NewCall(&p.in).Ask(t.Context(), q), server.ErrDeclined)
	return schema
}

func TestFormOfAStruct(t *testing.T) {
	in := everyKind{private: "never asked for"}
	got := requested(t, revisions.All()[1], server.Form("all", "?", &in))
	want := `{"type":"object","required":["name"],"properties":{
		"name":{"type":"string","title":"Name","description":"who you are","minLength":1,"maxLength":9,"default":"ada"},
		"mail":{"type":"string","format":"email"},
		"age":{"type":"integer","minimum":18,"maximum":99,"default":30},
		"weight":{"type":"number","minimum":0.5},
		"small":{"type":"integer"},
		"happy":{"type":"boolean","default":true},
		"stage":{"type":"string","enum":["dev","prod"],"default":"dev"},
		"region":{"type":"string","oneOf":[{"const":"eu","title":"Europe"},{"const":"us","title":"United States"}],"default":"eu"},
		"old":{"type":"string","enum":["a","b"],"enumNames":["A","B"]},
		"zones":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["a","b","c"]},"default":["a","b"]},
		"colours":{"type":"array","items":{"anyOf":[{"const":"r","title":"Red"},{"const":"g","title":"Green"}]}},
		"Untold":{"type":"string"},
		"deep":{"type":"string"}}}`
	assert.Equal(t, decode(t, []byte(want)), got)
}

func TestFormInOlderWords(t *testing.T) { // 2025-06-18 client/elicitation: only booleans have a default, titles are enumNames
	var in struct {
		Happy  bool   `json:"happy" form:"default=true"`
		Age    int    `json:"age" form:"default=3"`
		Region string `json:"region" form:"enum=eu|us;titles=Europe|America;default=eu"`
	}
	got := requested(t, revisions.All()[2], server.Form("a", "?", &in))
	assert.Equal(t, decode(t, []byte(`{"type":"object","required":["happy","age","region"],"properties":{
		"happy":{"type":"boolean","default":true},"age":{"type":"integer"},"region":{"type":"string","enum":["eu","us"],"enumNames":["Europe","America"]}}}`)), got)
}

func TestFormIsFilledIn(t *testing.T) {
	s := newServer(t, server.Options{})
	addTool(t, s, "fill", func(ctx context.Context, c *server.Call) (string, error) {
		in := everyKind{Happy: true, Colours: []string{}}
		if err := c.Elicit(ctx, "f", "?", &in); err != nil {
			return "", err
		}
		raw, err := json.Marshal(map[string]any{"name": in.Name, "age": in.Age, "weight": in.Weight, "small": in.Small, "happy": in.Happy, "stage": in.Stage,
			"region": in.Region, "old": in.Old, "zones": in.Zones, "colours": in.Colours, "deep": in.Deep, "Untold": in.Untold})
		return string(raw), err
	})
	for _, codec := range revisions.All()[:2] {
		p := newPeer(t, s, codec).declare(everything)
		for content, ok := range map[string]bool{
			`{"name":"bob"}`: true,
			`{"name":"bob","age":20,"weight":0.5,"small":255,"happy":false,"stage":"prod","region":"us","old":"b","zones":["c"],"colours":[],"deep":"x","Untold":"y"}`: true,
			`{"name":"bob","more":"is ignored"}`:   true,
			`{"name":""}`:                          false,
			`{"name":"0123456789"}`:                false,
			`{"age":20}`:                           false,
			`{"name":"bob","age":17}`:              false,
			`{"name":"bob","age":100}`:             false,
			`{"name":"bob","age":20.5}`:            false,
			`{"name":"bob","age":"20"}`:            false,
			`{"name":"bob","small":256}`:           false,
			`{"name":"bob","small":-1}`:            false,
			`{"name":"bob","weight":0.4}`:          false,
			`{"name":"bob","happy":"true"}`:        false,
			`{"name":"bob","stage":"test"}`:        false,
			`{"name":"bob","region":"Europe"}`:     false,
			`{"name":"bob","zones":["a","b","c"]}`: false,
			`{"name":"bob","zones":["d"]}`:         false,
			`{"name":"bob","zones":"a"}`:           false,
			`{"name":"bob","colours":["Red"]}`:     false,
			`{"name":null}`:                        false,
		} {
			tries := 0
			result, _ := p.converse("fill", `{}`, func(string, object) (string, error) {
				if tries++; tries > 1 {
					return `{"action":"decline"}`, nil
				}
				return `{"action":"accept","content":` + content + `}`, nil
			})
			got := text(t, result)
			if !ok {
				assert.Equal(t, true, result["isError"], content)
				continue
			}
			var back map[string]any
			require.NoError(t, json.Unmarshal([]byte(got), &back), got)
			for name, value := range decode(t, []byte(content)) {
				if name != "more" {
					assert.Equal(t, value, back[name], content)
				}
			}
		}
	}
}

func TestTagsThatAreWrong(t *testing.T) {
	type s1 struct {
		A string `form:"colour=red"`
	}
	type s2 struct {
		A int `form:"min=one"`
	}
	type s3 struct {
		A bool `form:"min=1"`
	}
	type s4 struct {
		A string `form:"enum=a|b;titles=A"`
	}
	type s5 struct {
		A []string
	}
	type s6 struct {
		A []int `form:"enum=1"`
	}
	type s7 struct{ A map[string]string }
	type s8 struct{ A *string }
	type s9 struct {
		A int `form:"default=many"`
	}
	type s10 struct {
		A int `form:"default=\"7\""`
	}
	type s11 struct {
		A string `form:"enum=a|b;default=c"`
	}
	type s12 struct {
		A string `form:"format=ipv4"`
	}
	type s13 struct {
		A int `form:"format=email"`
	}
	type s14 struct {
		A int `form:"enum=1|2"`
	}
	type s15 struct {
		A string `form:"enum=a|b;min=1"`
	}
	type s16 struct {
		A int `form:"max=9;default=10"`
	}
	type s17 struct {
		A []string `form:"enum=a|b;default=a|c"`
	}
	type s18 struct {
		A string `form:"enum=a|b;titles=A|"`
	}
	type s20 struct {
		A string `form:"min=-1"`
	}
	type s21 struct {
		A float64 `form:"min=NaN"`
	}
	type s22 struct {
		A bool `form:"default=1"`
	}
	type s23 struct{ A struct{ B string } }
	type s24 struct {
		A int `form:"titles=a|b"`
	}
	type s19 struct {
		A int `form:"min=9;max=1"`
	}
	type s25 struct {
		A float64 `form:"max=Inf"`
	}
	for _, into := range []any{&s1{}, &s2{}, &s3{}, &s4{}, &s5{}, &s6{}, &s7{}, &s8{}, &s9{}, &s10{}, &s11{}, &s12{}, &s13{}, &s14{},
		&s15{}, &s16{}, &s17{}, &s18{}, &s19{}, &s20{}, &s21{}, &s22{}, &s23{}, &s24{}, &s25{}} {
		s := newServer(t, server.Options{})
		p := newest(t, s).declare(everything)
		p.in.Params = &protocol.CallToolParams{}
		for range 2 { // the second time from what is known of the type
			err := s.NewCall(&p.in).Elicit(t.Context(), "f", "?", into)
			require.Error(t, err, "%T", into)
			assert.NotErrorIs(t, err, server.ErrInputRequired, "%T", into)
			assert.False(t, server.CannotAsk(err), "%T", into)
			assert.Contains(t, err.Error(), "form", "%T", into)
		}
	}
}
