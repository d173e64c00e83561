// Package browser tests the HTML report where it is read: in Chromium, with a mouse, with the keyboard alone, on a phone,
// in dark and in light. It is a module of its own so that the library which drives the browser never becomes a dependency
// of those who import Parley.
//
// The tests look for chromium in the path. Without it they skip, unless CI=true is in the environment: there they fail.
// PARLEY_SCREENSHOTS names a folder for the screenshots; without it they go to the folder of go test -artifacts.
package browser
