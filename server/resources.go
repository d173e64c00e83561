package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"

	"github.com/yosida95/uritemplate/v3"

	"github.com/parley-mcp/parley/protocol"
)

// A Resource is something that a client can read by its URI.
type Resource = protocol.Resource

// A ResourceTemplate stands for all resources whose URI matches an RFC 6570 template.
type ResourceTemplate = protocol.ResourceTemplate

// A ResourceHandler reads a resource. vars are the template's variables, nil for a resource of its own. In the contents an
// empty URI and MIMEType are filled in; the result is the server's from then on. protocol.ResourceNotFound,
// fs.ErrNotExist, or no contents, say that there is no such resource; other errors that are no *protocol.Error are
// internal.
//
// uri and vars are the client's text, and vars are decoded: a file's path among them may hold "..".
type ResourceHandler func(ctx context.Context, c *Call, uri string, vars map[string]string) (*protocol.ReadResourceResult, error)

type resource struct {
	*protocol.Resource
	read ResourceHandler
}

func (r *resource) key() string              { return r.URI }
func (r *resource) item() *protocol.Resource { return r.Resource }

type template struct {
	*protocol.ResourceTemplate
	pattern *uritemplate.Template
	read    ResourceHandler
}

func (t *template) key() string                      { return t.URITemplate }
func (t *template) item() *protocol.ResourceTemplate { return t.ResourceTemplate }

// AddResource adds a resource. The error says what is wrong with its URI, which is absolute, or that it has no Name.
func (s *Server) AddResource(r Resource, read ResourceHandler) error {
	err := checkResource(r.Name, r.Meta, read)
	if u, bad := url.Parse(r.URI); err == nil && (bad != nil || u.Scheme == "") {
		err = errors.New("the URI must be absolute, such as file:///readme.md")
	}
	if err == nil {
		err = s.resources.add(&resource{&r, read})
	}
	if err != nil {
		return fmt.Errorf("resource %q: %w", r.URI, err)
	}
	s.changed()
	s.ResourcesChanged()
	return nil
}

// RemoveResource removes a resource, and reports whether there was one of that URI.
func (s *Server) RemoveResource(uri string) bool { return s.resourcesRemoved(s.resources.remove(uri)) }

// AddResourceTemplate adds a template. A URI that is a resource of its own is not looked for in templates; of several
// that match, the first added reads it. The error says what is wrong with the template, or that it has no Name.
func (s *Server) AddResourceTemplate(t ResourceTemplate, read ResourceHandler) error {
	err := checkResource(t.Name, t.Meta, read)
	pattern, bad := uritemplate.New(t.URITemplate)
	if err == nil && bad != nil {
		err = bad
	}
	if err == nil {
		err = s.templates.add(&template{&t, pattern, read})
	}
	if err != nil {
		return fmt.Errorf("resource template %q: %w", t.URITemplate, err)
	}
	s.changed()
	s.ResourcesChanged()
	return nil
}

// RemoveResourceTemplate removes a template, and reports whether there was one.
func (s *Server) RemoveResourceTemplate(uriTemplate string) bool {
	s.completes.drop(false, uriTemplate)
	return s.resourcesRemoved(s.templates.remove(uriTemplate))
}

func (s *Server) resourcesRemoved(removed bool) bool {
	if removed {
		s.ResourcesChanged()
	}
	return removed
}

func checkResource(name string, meta []byte, read ResourceHandler) error {
	switch {
	case name == "":
		return errors.New("it needs a Name")
	case meta != nil && !isObject(meta):
		return errors.New("Meta is no JSON object")
	case read == nil:
		return errors.New("no handler")
	}
	return nil
}

func (s *Server) offersResources() bool { return s.resources.used() || s.templates.used() }

func (s *Server) listResources(c *Call, p *protocol.ListResourcesParams) (protocol.Result, error) {
	if !s.offersResources() {
		return nil, errUndeclared
	}
	page, err := s.resources.page(p.Cursor, c.in.Principal, s.options.Visible.Resource)
	if err != nil || page.answer != nil {
		return page.answer, err
	}
	return s.keep(page.kept, &protocol.ListResourcesResult{
		Cache:      hint(s.options.Cache.Resources, s.options.Visible.Resource != nil),
		Resources:  page.items,
		NextCursor: page.next,
	}), nil
}

func (s *Server) listTemplates(c *Call, p *protocol.ListResourceTemplatesParams) (protocol.Result, error) {
	if !s.offersResources() {
		return nil, errUndeclared
	}
	page, err := s.templates.page(p.Cursor, c.in.Principal, s.options.Visible.ResourceTemplate)
	if err != nil || page.answer != nil {
		return page.answer, err
	}
	return s.keep(page.kept, &protocol.ListResourceTemplatesResult{
		Cache:      hint(s.options.Cache.ResourceTemplates, s.options.Visible.ResourceTemplate != nil),
		Templates:  page.items,
		NextCursor: page.next,
	}), nil
}

func (s *Server) readResource(ctx context.Context, c *Call, p *protocol.ReadResourceParams) (protocol.Result, error) {
	if !s.offersResources() {
		return nil, errUndeclared
	}
	read, vars, mimeType := s.findResource(c, p.URI)
	if read == nil {
		return nil, protocol.ResourceNotFound(p.URI)
	}
	r, err := read(ctx, c, p.URI, vars)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (r == nil || len(r.Contents) == 0) {
		err = protocol.ResourceNotFound(p.URI)
	}
	if err != nil {
		return nil, err
	}
	if r.Cache.TTLMs < 0 {
		return nil, fmt.Errorf("resource %q has a negative Cache.TTLMs", p.URI)
	}
	r.Cache = hint(r.Cache, s.options.Visible.Resource != nil || s.options.Visible.ResourceTemplate != nil)
	for _, part := range r.Contents {
		if part.URI == "" {
			part.URI = p.URI
		}
		if part.MIMEType == "" {
			part.MIMEType = mimeType
		}
		if part.Meta != nil && !isObject(part.Meta) {
			return nil, fmt.Errorf("resource %q has a _meta that is no JSON object", p.URI)
		}
	}
	return r, nil
}

// findResource returns who reads a URI, or nil.
func (s *Server) findResource(c *Call, uri string) (read ResourceHandler, vars map[string]string, mimeType string) {
	if r, ok := s.resources.get(uri); ok {
		if v := s.options.Visible.Resource; v != nil && !v(c.in.Principal, r.Resource) {
			return nil, nil, ""
		}
		return r.read, nil, r.MIMEType
	}
	for _, t := range s.templates.all() {
		if v := s.options.Visible.ResourceTemplate; v != nil && !v(c.in.Principal, t.ResourceTemplate) {
			continue
		}
		if m := t.pattern.Match(uri); m != nil {
			vars = map[string]string{}
			for name, value := range m {
				vars[name] = value.String()
			}
			return t.read, vars, t.MIMEType
		}
	}
	return nil, nil, ""
}
