//go:build race

package revisions_test

func raceEnabled() bool { return true }
