package revisions_test

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/parley-mcp/parley/internal/rawjson"
	"github.com/parley-mcp/parley/protocol"
	"github.com/parley-mcp/parley/protocol/internal/wire"
)

// The other half of the newest spoke: it reads what a server sends. Only the examples need it.

func readBase(o *wire.Object) protocol.ResultBase {
	b := protocol.ResultBase{Meta: o.OptRawObject("_meta")}
	if m := o.OptObject("_meta"); m != nil {
		if s := m.OptObject(protocol.MetaServerInfo); s != nil {
			b.Server = &protocol.Implementation{Name: s.String("name"), Version: s.String("version")}
		}
	}
	return b
}

func readNotificationBase(o *wire.Object) protocol.NotificationBase {
	b := protocol.NotificationBase{Meta: o.OptRawObject("_meta")}
	if m := o.OptObject("_meta"); m != nil {
		b.SubscriptionID = m.OptRaw(protocol.MetaSubscriptionID)
	}
	return b
}

func readCache(o *wire.Object) protocol.CacheHint {
	c := protocol.CacheHint{Public: o.OptString("cacheScope") == "public"}
	if ttl := o.OptInt("ttlMs"); ttl != nil {
		c.TTLMs = *ttl
	}
	return c
}

func list[T any](o *wire.Object, name string, f func(*wire.Object) T) []T {
	var l []T
	o.Each(name, func(o *wire.Object) { l = append(l, f(o)) })
	return l
}

func readSomeContent(o *wire.Object) protocol.Content {
	a, meta := readSomeAnnotations(o), o.OptRawObject("_meta")
	switch o.String("type") {
	case "text":
		return &protocol.TextContent{Text: o.String("text"), Annotations: a, Meta: meta}
	case "image":
		return &protocol.ImageContent{Data: o.OptBase64("data"), MIMEType: o.String("mimeType"), Annotations: a, Meta: meta}
	case "audio":
		return &protocol.AudioContent{Data: o.OptBase64("data"), MIMEType: o.String("mimeType"), Annotations: a, Meta: meta}
	case "resource_link":
		return &protocol.ResourceLink{Resource: *readSomeResource(o)}
	case "resource":
		return &protocol.EmbeddedResource{Resource: *readSomeContents(o.Object("resource")), Annotations: a, Meta: meta}
	case "tool_use":
		return &protocol.ToolUse{ID: o.String("id"), Name: o.String("name"), Input: o.OptRaw("input"), Meta: meta}
	case "tool_result":
		return &protocol.ToolResult{ToolUseID: o.String("toolUseId"), Content: list(o, "content", readSomeContent),
			Structured: o.OptRaw("structuredContent"), IsError: o.OptBool("isError"), Meta: meta}
	}
	o.Fail("an unknown kind of content")
	return nil
}

func readSomeAnnotations(o *wire.Object) *protocol.Annotations {
	a := o.OptObject("annotations")
	if a == nil {
		return nil
	}
	r := &protocol.Annotations{Priority: a.OptFloat("priority"), LastModified: a.OptString("lastModified")}
	for _, role := range a.OptStrings("audience") {
		r.Audience = append(r.Audience, protocol.Role(role))
	}
	return r
}

func readSomeIcon(o *wire.Object) protocol.Icon {
	return protocol.Icon{Src: o.String("src"), MIMEType: o.OptString("mimeType"), Sizes: o.OptStrings("sizes"), Theme: o.OptString("theme")}
}

func readSomeResource(o *wire.Object) *protocol.Resource {
	return &protocol.Resource{URI: o.String("uri"), Name: o.String("name"), Title: o.OptString("title"),
		Description: o.OptString("description"), MIMEType: o.OptString("mimeType"), Size: o.OptInt("size"),
		Annotations: readSomeAnnotations(o), Icons: list(o, "icons", readSomeIcon), Meta: o.OptRawObject("_meta")}
}

func readSomeTemplate(o *wire.Object) *protocol.ResourceTemplate {
	return &protocol.ResourceTemplate{URITemplate: o.String("uriTemplate"), Name: o.String("name"), Title: o.OptString("title"),
		Description: o.OptString("description"), MIMEType: o.OptString("mimeType"), Annotations: readSomeAnnotations(o),
		Icons: list(o, "icons", readSomeIcon), Meta: o.OptRawObject("_meta")}
}

func readSomeContents(o *wire.Object) *protocol.ResourceContents {
	return &protocol.ResourceContents{URI: o.String("uri"), MIMEType: o.OptString("mimeType"), Text: o.OptString("text"),
		Blob: o.OptBase64("blob"), Meta: o.OptRawObject("_meta")}
}

func readSomeTool(o *wire.Object) *protocol.Tool {
	return &protocol.Tool{Name: o.String("name"), Title: o.OptString("title"), Description: o.OptString("description"),
		InputSchema: o.OptRaw("inputSchema"), OutputSchema: o.OptRaw("outputSchema"),
		Icons: list(o, "icons", readSomeIcon), Meta: o.OptRawObject("_meta")}
}

func readSomePrompt(o *wire.Object) *protocol.Prompt {
	return &protocol.Prompt{Name: o.String("name"), Title: o.OptString("title"), Description: o.OptString("description"),
		Icons: list(o, "icons", readSomeIcon), Meta: o.OptRawObject("_meta"),
		Arguments: list(o, "arguments", func(o *wire.Object) protocol.PromptArgument {
			return protocol.PromptArgument{Name: o.String("name"), Title: o.OptString("title"),
				Description: o.OptString("description"), Required: o.OptBool("required")}
		})}
}

func readServerCapabilities(o *wire.Object) protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{Logging: o.Has("logging"), Completions: o.Has("completions"),
		Extensions: o.OptObjectMap("extensions"), Experimental: o.OptObjectMap("experimental")}
	if l := o.OptObject("tools"); l != nil {
		c.Tools = &protocol.ListCapability{ListChanged: l.OptBool("listChanged")}
	}
	if l := o.OptObject("prompts"); l != nil {
		c.Prompts = &protocol.ListCapability{ListChanged: l.OptBool("listChanged")}
	}
	if r := o.OptObject("resources"); r != nil {
		c.Resources = &protocol.ResourcesCapability{Subscribe: r.OptBool("subscribe"), ListChanged: r.OptBool("listChanged")}
	}
	return c
}

func readSampling(o *wire.Object) *protocol.CreateMessageParams {
	p := &protocol.CreateMessageParams{Messages: list(o, "messages", readSamplingMessage), SystemPrompt: o.OptString("systemPrompt"),
		Preferences: readPreferences(o), IncludeContext: o.OptString("includeContext"), Temperature: o.OptFloat("temperature"),
		StopSequences: o.OptStrings("stopSequences"), Metadata: o.OptRawObject("metadata"), Tools: list(o, "tools", readSomeTool)}
	if n := o.OptInt("maxTokens"); n != nil {
		p.MaxTokens = *n
	}
	if c := o.OptObject("toolChoice"); c != nil {
		p.ToolChoice = c.String("mode")
	}
	return p
}

func readSamplingMessage(o *wire.Object) protocol.SamplingMessage {
	m := protocol.SamplingMessage{Role: protocol.Role(o.String("role")), Meta: o.OptRawObject("_meta")}
	o.EachOrOne("content", func(o *wire.Object) { m.Content = append(m.Content, readSomeContent(o)) })
	return m
}

func readPreferences(o *wire.Object) *protocol.ModelPreferences {
	p := o.OptObject("modelPreferences")
	if p == nil {
		return nil
	}
	return &protocol.ModelPreferences{Hints: list(p, "hints", func(o *wire.Object) string { return o.String("name") }),
		CostPriority: p.OptFloat("costPriority"), SpeedPriority: p.OptFloat("speedPriority"), IntelligencePriority: p.OptFloat("intelligencePriority")}
}

func readElicitation(o *wire.Object) *protocol.ElicitParams {
	p := &protocol.ElicitParams{Message: o.String("message"), URL: o.OptString("url")}
	if p.URL != "" {
		return p
	}
	s := o.Object("requestedSchema")
	required := map[string]bool{}
	for _, name := range s.OptStrings("required") {
		required[name] = true
	}
	properties := s.Object("properties")
	for m := rawjson.Members(s.OptRawObject("properties")); m.Next(); {
		name := string(m.Key())
		f := readField(properties.Object(name))
		f.Name, f.Required = name, required[name]
		p.Fields = append(p.Fields, f)
	}
	return p
}

func readField(o *wire.Object) protocol.FormField {
	f := protocol.FormField{Title: o.OptString("title"), Description: o.OptString("description"), Default: o.OptRaw("default"),
		Format: o.OptString("format"), MinLength: o.OptInt("minLength"), MaxLength: o.OptInt("maxLength"),
		Minimum: o.OptFloat("minimum"), Maximum: o.OptFloat("maximum"), MinItems: o.OptInt("minItems"), MaxItems: o.OptInt("maxItems")}
	switch o.String("type") {
	case "number":
		f.Kind = protocol.FieldNumber
	case "integer":
		f.Kind = protocol.FieldInteger
	case "boolean":
		f.Kind = protocol.FieldBoolean
	case "array":
		f.Kind = protocol.FieldChoices
		f.Options = readOptions(o.Object("items"), "anyOf")
	default:
		f.Kind = protocol.FieldString
		if f.Options = readOptions(o, "oneOf"); f.Options != nil {
			f.Kind = protocol.FieldChoice
		}
	}
	return f
}

func readOptions(o *wire.Object, titled string) []protocol.Option {
	options := list(o, titled, func(o *wire.Object) protocol.Option {
		return protocol.Option{Value: o.String("const"), Title: o.String("title")}
	})
	for _, value := range o.OptStrings("enum") {
		options = append(options, protocol.Option{Value: value})
	}
	return options
}

func readQuestion(o *wire.Object) protocol.Question {
	switch method := o.String("method"); method {
	case protocol.MethodElicit:
		return readElicitation(o.Object("params"))
	case protocol.MethodCreateMessage:
		return readSampling(o.Object("params"))
	case protocol.MethodRootsList:
		return &protocol.ListRootsParams{}
	default:
		o.Fail("%s is no question", method)
		return nil
	}
}

func readQuestions(o *wire.Object, raw map[string]jsontext.Value) map[string]protocol.Question {
	m := map[string]protocol.Question{}
	for _, key := range keys(raw) {
		m[key] = readQuestion(o.Object(key))
	}
	return m
}
