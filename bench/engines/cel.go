package engines

import (
	"cel.dev/cel-go/cel"
)

type celEngine []cel.Program

var celSignatures = map[string]string{
	"never":          `name == "%[1]s"`,
	"anti-debugging": `name == "ptrace" && args.request == "PTRACE_TRACEME" && uid != %[2]d`,
	"code-injection": `(name == "ptrace" && args.request in ["PTRACE_POKETEXT", "PTRACE_POKEDATA"]` +
		` || name in ["open", "openat"] && (args.flags.contains("O_WRONLY") || args.flags.contains("O_RDWR"))` +
		` && args.pathname.matches("^/proc/([0-9]+|self)/mem$")) && uid != %[2]d`,
}

func newCEL(signature string, count int) (Engine, error) {
	var engine celEngine
	environment, err := cel.NewEnv(
		cel.Variable("name", cel.StringType),
		cel.Variable("process", cel.StringType),
		cel.Variable("pid", cel.IntType),
		cel.Variable("uid", cel.IntType),
		cel.Variable("args", cel.MapType(cel.StringType, cel.StringType)))
	if err != nil {
		return nil, err
	}
	for _, text := range texts(celSignatures[signature], count) {
		ast, issues := environment.Compile(text)
		if issues.Err() != nil {
			return nil, issues.Err()
		}
		// Regular expressions and lists that are constant are made now.
		program, err := environment.Program(ast, cel.EvalOptions(cel.OptOptimize))
		if err != nil {
			return nil, err
		}
		engine = append(engine, program)
	}
	return engine, nil
}

func (engine celEngine) Look(event *Event) (int, error) {
	variables, err := cel.NewActivation(map[string]any{
		"name": event.Name, "process": event.Process, "pid": event.PID, "uid": event.UID, "args": event.Args,
	})
	if err != nil {
		return 0, err
	}
	found := 0
	for _, program := range engine {
		result, _, err := program.Eval(variables)
		if err != nil {
			return 0, err
		}
		if result.Value() == true {
			found++
		}
	}
	return found, nil
}
