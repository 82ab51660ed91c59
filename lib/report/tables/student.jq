# Means of a few values with their 95 % intervals (Student's t).

# Of more than 30 degrees of freedom, that of 30: a little too wide.
def student($degrees):
  [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042][[$degrees, 30] | min - 1];

# {value, low, high} of a list, of which only numbers count; null for what is not known. What is measured is at least 0 and at most $most.
def mean_interval($most):
  map(numbers) | length as $count
  | if $count == 0 then {value: null, low: null, high: null}
    else (add / $count) as $mean
      | if $count == 1 then {value: $mean, low: null, high: null}
        else (map((. - $mean) * (. - $mean)) | add / ($count - 1) | sqrt * student($count - 1) / ($count | sqrt)) as $half
          | {value: $mean, low: ([$mean - $half, 0] | max), high: ([$mean + $half, $most] | min)} end
    end;
