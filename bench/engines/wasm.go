//go:build opa_wasm && !no_opa

package engines

import (
	_ "github.com/open-policy-agent/opa/features/wasm" // registers the target
	"github.com/open-policy-agent/opa/v1/rego"
)

func init() {
	makers["wasm-together"] = newWasmTogether
}

func newWasmTogether(signature string, count int) (Engine, error) {
	return prepareTogether(signature, count, false, rego.Target("wasm"))
}
