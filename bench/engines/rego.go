//go:build !no_opa

package engines

import (
	"context"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

func init() {
	makers["rego"] = newRego
	makers["rego-together"] = newRegoTogether
}

// The bodies of each signature: it matches if one of them holds.
var regoSignatures = map[string][]string{
	"never":          {`input.name == "%[1]s"`},
	"anti-debugging": {`input.name == "ptrace"; input.args.request == "PTRACE_TRACEME"; input.uid != %[2]d`},
	"code-injection": {
		`input.name == "ptrace"; input.args.request in {"PTRACE_POKETEXT", "PTRACE_POKEDATA"}; input.uid != %[2]d`,
		`input.name in {"open", "openat"}; some mode in ["O_WRONLY", "O_RDWR"]; contains(input.args.flags, mode)` +
			"; regex.match(`^/proc/([0-9]+|self)/mem$`, input.args.pathname); input.uid != %[2]d",
	},
}

// regoRules are the copies of a signature, each of which has the rules with head before its bodies (%d in it is the number of the copy).
func regoRules(signature, head string, count int) []string {
	copies := make([]string, count)
	for _, body := range regoSignatures[signature] {
		for i, text := range texts(body, count) {
			copies[i] += fmt.Sprintf(head, i) + " if { " + text + " }\n"
		}
	}
	return copies
}

// A query for each signature, as Tracee had it.
type regoEngine []rego.PreparedEvalQuery

func newRego(signature string, count int) (Engine, error) {
	var engine regoEngine
	for i, rules := range regoRules(signature, "found_%d", count) {
		query, err := rego.New(
			rego.Query(fmt.Sprintf("data.signatures.found_%d", i)),
			rego.Module("signature.rego", "package signatures\n"+rules)).PrepareForEval(context.Background())
		if err != nil {
			return nil, err
		}
		engine = append(engine, query)
	}
	return engine, nil
}

func (engine regoEngine) Look(event *Event) (int, error) {
	input, err := regoInput(event)
	if err != nil {
		return 0, err
	}
	found := 0
	for i := range engine {
		results, err := engine[i].Eval(context.Background(), rego.EvalParsedInput(input))
		if err != nil {
			return 0, err
		}
		if results.Allowed() {
			found++
		}
	}
	return found, nil
}

// All signatures in one policy, and one query that gives the set of those that match.
type regoTogether struct {
	query rego.PreparedEvalQuery
	// Whether the query takes what it gets parsed already.
	parsed bool
}

func newRegoTogether(signature string, count int) (Engine, error) {
	return prepareTogether(signature, count, true)
}

func prepareTogether(signature string, count int, parsed bool, options ...func(*rego.Rego)) (Engine, error) {
	rules := strings.Join(regoRules(signature, `found contains %d`, count), "")
	options = append(options, rego.Query("data.signatures.found"), rego.Module("signatures.rego", "package signatures\n"+rules))
	query, err := rego.New(options...).PrepareForEval(context.Background())
	if err != nil {
		return nil, err
	}
	return &regoTogether{query, parsed}, nil
}

func (engine *regoTogether) Look(event *Event) (int, error) {
	option := rego.EvalInput(regoDocument(event))
	if engine.parsed {
		input, err := regoInput(event)
		if err != nil {
			return 0, err
		}
		option = rego.EvalParsedInput(input)
	}
	results, err := engine.query.Eval(context.Background(), option)
	if err != nil || len(results) != 1 {
		return 0, fmt.Errorf("expected one result, got %d: %w", len(results), err)
	}
	return len(results[0].Expressions[0].Value.([]any)), nil
}

func regoDocument(event *Event) map[string]any {
	return map[string]any{"name": event.Name, "process": event.Process, "pid": event.PID, "uid": event.UID, "args": event.Args}
}

func regoInput(event *Event) (ast.Value, error) {
	return ast.InterfaceToValue(regoDocument(event))
}
