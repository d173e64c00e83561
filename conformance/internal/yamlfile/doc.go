// Package yamlfile reads the harness's own YAML files strictly: one document, no unknown or repeated key, no value left
// empty, and nothing that makes a file say one thing and mean another (tags, anchors, aliases, merge keys). Each mistake
// has the file and the line.
package yamlfile
