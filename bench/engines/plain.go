package engines

import (
	"regexp"
	"strings"
)

type goEngine []func(event *Event) bool

func newGo(signature string, count int) (Engine, error) {
	engine := make(goEngine, count)
	for i := range engine {
		engine[i] = goSignatures[signature](i)
	}
	return engine, nil
}

func (engine goEngine) Look(event *Event) (int, error) {
	found := 0
	for _, matches := range engine {
		if matches(event) {
			found++
		}
	}
	return found, nil
}

var goSignatures = map[string]func(number int) func(event *Event) bool{
	"never": func(number int) func(event *Event) bool {
		name := absentName(number)
		return func(event *Event) bool { return event.Name == name }
	},
	"anti-debugging": func(number int) func(event *Event) bool {
		absent := absentUser(number)
		return func(event *Event) bool {
			return event.Name == "ptrace" && event.Args["request"] == "PTRACE_TRACEME" && event.UID != absent
		}
	},
	"code-injection": func(number int) func(event *Event) bool {
		absent := absentUser(number)
		memory := regexp.MustCompile(`^/proc/([0-9]+|self)/mem$`)
		return func(event *Event) bool {
			switch event.Name {
			case "ptrace":
				request := event.Args["request"]
				return (request == "PTRACE_POKETEXT" || request == "PTRACE_POKEDATA") && event.UID != absent
			case "open", "openat":
				flags := event.Args["flags"]
				return (strings.Contains(flags, "O_WRONLY") || strings.Contains(flags, "O_RDWR")) &&
					memory.MatchString(event.Args["pathname"]) && event.UID != absent
			}
			return false
		}
	},
}
