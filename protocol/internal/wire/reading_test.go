package wire

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
)

// A reading that is kept for the next one holds nothing of the last, and no more room than is of use.
func TestReadingForgets(t *testing.T) {
	r := new(reading)
	for range 3 {
		r.object(jsontext.Value(`{"a":1}`), Object{name: "params", index: noIndex})
	}
	kept := r.objects
	r.release()
	assert.Equal(t, kept, r.objects, "a small reading keeps its objects")
	assert.Zero(t, r.used)
	for _, o := range kept {
		assert.Nil(t, o.reading)
		assert.Equal(t, []member{{}}, o.members[:1], "a member was kept")
	}
	r = new(reading) // the other one is in the pool
	for range 1000 {
		r.object(nil, Object{})
	}
	r.release()
	assert.Empty(t, r.objects)
}
