package match

// An Env is what the holes of one conversation know. The zero value knows nothing.
type Env struct {
	// Vars are the captures and constants by name.
	Vars map[string]*Value
	// Meta builds the metadata that a request must carry. It returns nil where the member is to be left out. A nil
	// function always leaves it out.
	Meta func(Meta) *Value
	// Open lets every object have further members, as if each had "...".
	Open bool
}

func (e *Env) lookup(name string) *Value {
	if e == nil {
		return nil
	}
	return e.Vars[name]
}

// Set gives a name its value.
func (e *Env) Set(name string, v *Value) {
	if e.Vars == nil {
		e.Vars = map[string]*Value{}
	}
	e.Vars[name] = v
}

func (e *Env) meta(m Meta) *Value {
	if e == nil || e.Meta == nil {
		return nil
	}
	return e.Meta(m)
}
