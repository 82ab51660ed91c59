module exectax/bench/engines/tracee/0.16.2

go 1.19

require github.com/aquasecurity/tracee v0.16.2

// What WASM needs that the module itself does not name.
require github.com/bytecodealliance/wasmtime-go/v3 v3.0.2
