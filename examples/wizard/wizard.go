package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/parley-mcp/parley/server"
)

// A plan is what the wizard asks for. Whoever cannot be asked passes it as arguments.
type plan struct {
	Name     string `json:"name,omitempty" jsonschema:"the name of the project"`
	Kind     string `json:"kind,omitempty" jsonschema:"service or library"`
	Port     int    `json:"port,omitempty" jsonschema:"for a service: where it listens"`
	License  string `json:"license,omitempty" jsonschema:"for a library: its license"`
	Approved bool   `json:"approved,omitempty" jsonschema:"true if the user has agreed already"`
}

// The steps. What a form asks is its own, whatever the arguments are.
type (
	basics struct {
		Name string `json:"name" jsonschema:"how the project is called"`
		Kind string `json:"kind" form:"enum=service|library;titles=A service|A library"`
	}
	listening struct {
		Port int `json:"port" form:"min=1024;max=65535;default=8080"`
	}
	licensing struct {
		License string `json:"license" form:"enum=MIT|Apache-2.0"`
	}
)

// A wizard creates projects. Its counter stands for what must not happen twice, such as a row in a database.
type wizard struct{ created atomic.Int64 }

// create asks step by step. Where answers come in rounds it runs from the top in each of them, perhaps in another process:
// what it knows comes from the answers, and from Once.
func (w *wizard) create(ctx context.Context, c *server.Call, in plan) (string, error) {
	if in.Name == "" || in.Kind == "" {
		var step basics
		if err := ask(ctx, c, "basics", "What is it to be?", &step); err != nil {
			return "", err
		}
		in.Name, in.Kind = step.Name, step.Kind
	}
	details, err := w.details(ctx, c, in)
	if err != nil {
		return "", err
	}
	number, err := server.Once(ctx, c, "number", func() (int64, error) { return w.created.Add(1), nil })
	if err != nil {
		return "", err
	}
	project := fmt.Sprintf("%s %q, %s, number %d", in.Kind, in.Name, details, number)
	if !in.Approved {
		if err := ask(ctx, c, "approve", "Publish the "+project+"?", &struct{}{}); err != nil {
			return "", err
		}
	}
	return "Published the " + project + ".", nil
}

// details is the step that depends on the one before.
func (w *wizard) details(ctx context.Context, c *server.Call, in plan) (string, error) {
	if in.Kind == "library" {
		step := licensing{in.License}
		if in.License == "" {
			if err := ask(ctx, c, "license", "Under which license?", &step); err != nil {
				return "", err
			}
		}
		return "under " + step.License, nil
	}
	step := listening{in.Port}
	if in.Port == 0 {
		if err := ask(ctx, c, "port", "On which port?", &step); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("on port %d", step.Port), nil
}

// ask asks, or says what to do where that is not possible.
func ask(ctx context.Context, c *server.Call, key, message string, into any) error {
	err := c.Elicit(ctx, key, message, into)
	if server.CannotAsk(err) {
		return errors.New("the user cannot be asked from here: call again with name, kind, and port or license; " +
			"set approved to true once the user has agreed")
	}
	return err
}
