# What monitors would cost a host, of the rows of a run's perf.csv: an object a monitor, by name, CPU time in % of one CPU.
# Takes: taxes (rows of syscalls.csv), exec_per_sec, and syscalls: of them a second how many are reads, connects, opens (each with a close)
# and others, or null.
def known: type == "number";

# Of a figure per execution at two points, what it is between them, and its ends: a line in the logarithm of the rate. Errors of both ends are
# taken to go together.
def between($from; $to; $part; $column): $from[$column] as $a | $to[$column] as $b | if ($a | known) and ($b | known) then $a + $part * ($b - $a) else null end;

# Two points of measured rates and how far the rate is from the first to the second; below or above where there are none.
def place($points; $rate):
  ($points | first) as $lowest | ($points | last) as $highest
  | if $rate < $lowest.rate * 0.99 then {where: "below", from: $lowest, to: $lowest, part: 0}
    elif $rate > $highest.rate * 1.01 then {where: "above", from: $highest, to: $highest, part: 0}
    else
      ([$points[] | select(.rate <= $rate)] | last // $lowest) as $from
      | ([$points[] | select(.rate >= $rate)] | first // $highest) as $to
      | {where: (if $from.rate == $to.rate then "measured" else "between" end), $from, $to,
         part: (if $from.rate == $to.rate then 0 else ($rate / $from.rate | log) / ($to.rate / $from.rate | log) end)}
    end;

# An end of a figure's interval; the figure itself where it has none.
def end_of($row; $name; $edge): [$row["\($name)_\($edge)"], $row[$name]] | map(select(known)) | first // null;

# A figure in µs per execution, in % of a CPU. Below the measured rates, an execution costs no less than at the lowest of them, and all of them
# together no more than there: a range without a middle.
def percent($place; $name; $rate):
  if $place.where == "above" then {value: null, low: null, high: null}
  elif $place.where == "below" then
    {value: null,
     low: (end_of($place.from; $name; "low") | if known then . * $rate / 10000 else null end),
     high: (end_of($place.from; $name; "high") | if known then . * $place.from.rate / 10000 else null end)}
  else
    [$name, "\($name)_low", "\($name)_high"]
    | map(between($place.from; $place.to; $place.part; .) | if known then . * $rate / 10000 else null end)
    | {value: .[0], low: .[1], high: .[2]}
  end;

# Errors that go together.
def plus($other): with_entries(.value as $value | .key as $key | .value = if ($value | known) and ($other[$key] | known) then $value + $other[$key] else null end);

# Errors of different windows: their squares add up. Ranges add up as they are.
def independent($other; $is_range):
  . as $one
  | if $is_range then {value: null, low: ($one.low + ($other.low // $other.value)), high: ($one.high + ($other.high // $other.value))}
    elif [$one, $other | .low, .high] | all(known) then
      ($one.value + $other.value) as $sum
      | {value: $sum, low: ($sum - ([$one, $other | .value - .low | . * .] | add | sqrt)), high: ($sum + ([$one, $other | .high - .value | . * .] | add | sqrt))}
    elif ($one.value | known) and ($other.value | known) then {value: ($one.value + $other.value), low: null, high: null}
    else {value: null, low: null, high: null} end;

# What system calls cost that no execution has in its own figure already, in % of a CPU; null if it is not known.
def tax($rows):
  ({getppid: $syscalls.others, read: $syscalls.reads, connect: $syscalls.connects, "open-close": $syscalls.opens}) as $calls
  | [$calls | to_entries[] | select(.value > 0) | .key as $call | .value as $per_sec
      | ($rows | map(select(.call == $call and (.added_ns | known))) | first) as $row
      | if $row == null then null else [$row.added_ns, $row.added_ns_low, $row.added_ns_high] | map(if known then . * $per_sec / 1e7 else null end) | {value: .[0], low: .[1], high: .[2]} end]
  | if any(. == null) then null else reduce .[] as $one ({value: 0, low: 0, high: 0}; plus($one)) end;

def why_no_points($rows):
  if any($rows[]; .counted_us | known) then "the host was saturated at all of its rates"
  else [$rows[] | .reason | strings | select(. != "")] | unique | if . == [] then "what is counted for is not known (a monitor that ran already, or no baseline)" else join("; ") end end;

. as $rows
| [$rows | group_by(.test)[] | select(.[0].test != "none")
    | . as $own | .[0].test as $test
    | ([$own[] | select(.status == "ok" and .exec_per_sec > 0 and .saturated != "true" and (.counted_us | known))
        | .rate = (if .achieved_per_sec | known then .achieved_per_sec else .exec_per_sec end)] | sort_by(.rate)) as $points
    | if $points == [] then {test: $test, where: "unknown", reason: why_no_points($own)}
      else
        place($points; $exec_per_sec) as $place
        | percent($place; "counted_us"; $exec_per_sec) as $executions
        | ($taxes | map(select(.test == $test))) as $own_taxes
        | (if $syscalls == null then null else tax($own_taxes) end) as $tax
        | {
            test: $test, where: $place.where, from_per_sec: $place.from.rate, to_per_sec: $place.to.rate,
            lowest_per_sec: $points[0].rate, highest_per_sec: $points[-1].rate,
            without_syscalls: ($tax == null),
            cpu: (if $place.where == "above" or $tax == null then $executions else $executions | independent($tax; $place.where == "below") end),
            executions: $executions,
            daemon: percent($place; "daemon_us"; $exec_per_sec),
            helpers: percent($place; "services_us"; $exec_per_sec),
            programs: (percent($place; "program_us"; $exec_per_sec) | plus(percent($place; "parent_us"; $exec_per_sec))),
            syscalls: $tax
          }
      end]
