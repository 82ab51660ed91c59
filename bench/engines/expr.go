package engines

import (
	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

type exprEngine struct {
	programs []*vm.Program
	machine  vm.VM
}

var exprSignatures = map[string]string{
	"never":          `name == "%[1]s"`,
	"anti-debugging": `name == "ptrace" && args.request == "PTRACE_TRACEME" && uid != %[2]d`,
	"code-injection": `(name == "ptrace" && args.request in ["PTRACE_POKETEXT", "PTRACE_POKEDATA"]` +
		` || name in ["open", "openat"] && (args.flags contains "O_WRONLY" || args.flags contains "O_RDWR")` +
		` && args.pathname matches "^/proc/([0-9]+|self)/mem$") && uid != %[2]d`,
}

func newExpr(signature string, count int) (Engine, error) {
	engine := &exprEngine{}
	for _, text := range texts(exprSignatures[signature], count) {
		program, err := expr.Compile(text, expr.Env(Event{}), expr.AsBool())
		if err != nil {
			return nil, err
		}
		engine.programs = append(engine.programs, program)
	}
	return engine, nil
}

func (engine *exprEngine) Look(event *Event) (int, error) {
	found := 0
	for _, program := range engine.programs {
		result, err := engine.machine.Run(program, *event)
		if err != nil {
			return 0, err
		}
		if result.(bool) {
			found++
		}
	}
	return found, nil
}
