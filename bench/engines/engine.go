// Package engines has signatures in the languages of several rule engines, and looks at events with them.
package engines

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Engine has compiled a number of signatures.
type Engine interface {
	// Look says how many of them match an event. What an engine has to do once for each event, whatever the
	// number of signatures, is in it.
	Look(event *Event) (int, error)
}

// What is built into every program; Rego (not with the tag no_opa) and WASM (with the tag opa_wasm) add themselves.
var makers = map[string]func(signature string, count int) (Engine, error){
	"go":   newGo,
	"expr": newExpr,
	"cel":  newCEL,
}

// Signatures are the names of those that each engine has.
var Signatures = []string{"never", "anti-debugging", "code-injection"}

// Names are those of the engines.
func Names() []string {
	return slices.Sorted(maps.Keys(makers))
}

// New compiles count copies of a signature, no two of which are alike: each has a number of its own in it.
func New(engine, signature string, count int) (Engine, error) {
	maker, known := makers[engine]
	if !known {
		return nil, fmt.Errorf("engine '%s': expected one of %s", engine, strings.Join(Names(), " "))
	}
	if !slices.Contains(Signatures, signature) {
		return nil, fmt.Errorf("signature '%s': expected one of %s", signature, strings.Join(Signatures, " "))
	}
	return maker(signature, count)
}

// A user that no event has, another one for each copy.
func absentUser(number int) int64 {
	return 300000 + int64(number)
}

// A name that no event has.
func absentName(number int) string {
	return fmt.Sprintf("never-%d", number)
}

// texts are the copies of a signature in a language: format has %[1]s where a name that no event has goes, and %[2]d where
// such a user does.
func texts(format string, count int) []string {
	copies := make([]string, count)
	for i := range copies {
		text := strings.ReplaceAll(format, "%[1]s", absentName(i))
		copies[i] = strings.ReplaceAll(text, "%[2]d", fmt.Sprint(absentUser(i)))
	}
	return copies
}
