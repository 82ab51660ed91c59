# Cells from which the hypervisor took more of a CPU than that of lib/report/figures/cell.jq's mark.
def is_disturbed: .status == "ok" and ((.marks // "") | contains("steal"));
# Those that it left alone, or all if there are none.
def undisturbed: map(select(is_disturbed | not)) as $calm | if $calm == [] then . else $calm end;
