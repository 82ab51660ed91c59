package engines

// Event is what a monitor hands to its rule engine: a system call that somebody made.
type Event struct {
	Name    string            `expr:"name"`
	Process string            `expr:"process"`
	PID     int64             `expr:"pid"`
	UID     int64             `expr:"uid"`
	Args    map[string]string `expr:"args"`
}

// Of each group of so many events, one is matched by the signature of anti-debugging, and one by that of code injection.
const eventsInGroup = 32

func executed(pid int64, path string) Event {
	return Event{Name: "execve", Process: "sh", PID: pid, UID: 1000, Args: map[string]string{"pathname": path, "argv": path + " --version"}}
}

func opened(pid int64, path, flags string) Event {
	return Event{Name: "openat", Process: "python3", PID: pid, UID: 1000,
		Args: map[string]string{"dirfd": "AT_FDCWD", "pathname": path, "flags": flags}}
}

func connected(pid int64) Event {
	return Event{Name: "connect", Process: "curl", PID: pid, UID: 1000, Args: map[string]string{"family": "AF_INET", "address": "127.0.0.1:80"}}
}

func traced(pid int64, request string) Event {
	return Event{Name: "ptrace", Process: "gdb", PID: pid, UID: 1000, Args: map[string]string{"request": request}}
}

// stream is a group: mostly files that are opened, in an order that does not change.
func stream() []Event {
	events := make([]Event, 0, eventsInGroup)
	for pid := int64(1000); len(events) < eventsInGroup-8; pid++ {
		events = append(events,
			executed(pid, "/usr/bin/true"),
			opened(pid, "/etc/ld.so.cache", "O_RDONLY|O_CLOEXEC"),
			opened(pid, "/lib/x86_64-linux-gnu/libc.so.6", "O_RDONLY|O_CLOEXEC"),
			opened(pid, "/proc/self/status", "O_RDONLY"),
			opened(pid, "/var/log/app.log", "O_WRONLY|O_APPEND"),
			connected(pid))
	}
	return append(events,
		traced(2000, "PTRACE_PEEKTEXT"),
		traced(2000, "PTRACE_TRACEME"),
		opened(2000, "/proc/1/mem", "O_RDONLY"),
		opened(2000, "/proc/self/mem", "O_RDWR"),
		executed(2001, "/usr/bin/id"),
		opened(2001, "/etc/passwd", "O_RDONLY|O_CLOEXEC"),
		connected(2001),
		opened(2001, "/tmp/out", "O_WRONLY|O_CREAT"))
}
