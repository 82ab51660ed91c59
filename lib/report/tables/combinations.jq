# The order of combinations of limits and knobs: no limits first, then less and less CPU.
def place_of_combination: [(if (.cpus | type) == "number" then -.cpus else -1e9 end), (.memory // "" | tostring), (.combination | tostring)];
