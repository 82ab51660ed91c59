# Series, with their changes. Takes: changes (rows of `figures --changes`, series being numbers from 0).
to_entries
| map(.key as $key | .value
    | .points as $points
    | .changes = [$changes[] | select(.series == $key)
        | {run: $points[.first].run, at: $points[.first].at, first, p, before, after, difference: {value: .difference, low: .difference_low, high: .difference_high},
           news: $points[.first].news}])
