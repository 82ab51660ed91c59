package engines

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// What each signature is to find in a group of events.
var inGroup = map[string]int{"never": 0, "anti-debugging": 1, "code-injection": 1}

func TestGroupIsWhole(t *testing.T) {
	if events := stream(); len(events) != eventsInGroup {
		t.Fatalf("%d events, expected %d", len(events), eventsInGroup)
	}
}

func TestEnginesFindTheSame(t *testing.T) {
	for _, name := range Names() {
		for _, signature := range Signatures {
			for _, count := range []int{1, 3} {
				t.Run(fmt.Sprintf("%s/%s/%d", name, signature, count), func(t *testing.T) {
					looksRight(t, name, signature, count)
				})
			}
		}
	}
}

// Event by event, what plain Go finds, and as many as there are to find.
func looksRight(t *testing.T, name, signature string, count int) {
	engine := compiled(t, name, signature, count)
	plain := compiled(t, "go", signature, count)
	all := 0
	for _, event := range stream() {
		found, err := engine.Look(&event)
		if err != nil {
			t.Fatal(err)
		}
		if expected, _ := plain.Look(&event); found != expected {
			t.Errorf("%v: found %d, expected %d", event, found, expected)
		}
		all += found
	}
	if all != inGroup[signature]*count {
		t.Errorf("found %d in all, expected %d", all, inGroup[signature]*count)
	}
}

// Copies that an engine could take for one would cost it nothing.
func TestCopiesDiffer(t *testing.T) {
	event := traced(1, "PTRACE_TRACEME")
	event.UID = absentUser(1)
	for _, name := range Names() {
		found, err := compiled(t, name, "anti-debugging", 3).Look(&event)
		if err != nil || found != 2 {
			t.Errorf("%s: found %d (%v), expected 2", name, found, err)
		}
	}
}

func TestUnknownNamesAreErrors(t *testing.T) {
	if _, err := New("none", "never", 1); err == nil {
		t.Error("an engine that there isn't")
	}
	if _, err := New("go", "none", 1); err == nil {
		t.Error("a signature that there isn't")
	}
}

func compiled(tb testing.TB, name, signature string, count int) Engine {
	engine, err := New(name, signature, count)
	if err != nil {
		tb.Fatal(err)
	}
	return engine
}

// A group of events looked at with EXECTAX_COUNT signatures (2 if that is not said), by engine and signature. compile-ns: the time that
// compiling all of them took. resident-bytes: by how much the resident memory grew by that; only the first of a process can be trusted.
func BenchmarkLook(b *testing.B) {
	count := signatureCount(b)
	for _, name := range Names() {
		for _, signature := range Signatures {
			var engine Engine
			var compileTime time.Duration
			var memory int64
			b.Run(fmt.Sprintf("%s/%s/%d", name, signature, count), func(b *testing.B) {
				if engine == nil {
					before, start := residentBytes(b), time.Now()
					engine = compiled(b, name, signature, count)
					compileTime = time.Since(start)
					memory = residentBytes(b) - before
				}
				look(b, engine)
				b.ReportMetric(float64(compileTime.Nanoseconds()), "compile-ns")
				b.ReportMetric(float64(memory), "resident-bytes")
			})
		}
	}
}

func signatureCount(b *testing.B) int {
	text := os.Getenv("EXECTAX_COUNT")
	if text == "" {
		return 2
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		b.Fatalf("EXECTAX_COUNT is '%s', expected a number of signatures", text)
	}
	return count
}

func look(b *testing.B, engine Engine) {
	events := stream()
	b.ReportAllocs()
	before := cpuTime(b)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		for j := range events {
			if _, err := engine.Look(&events[j]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.StopTimer()
	b.ReportMetric(float64((cpuTime(b)-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
}

// cpuTime is that of all of this process's threads, those that collect garbage included.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// residentBytes is the memory of this process that is in RAM, what could be given back excepted.
func residentBytes(b *testing.B) int64 {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(text)[1]), 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
