module exectax/bench/engines/tracee/0.6.5

go 1.16

require github.com/aquasecurity/tracee/tracee-rules v0.6.5
