# Several hosts beside each other, without what says whose they are: each has a number in place of its name.
include "redact";
(.hosts | to_entries | map({key: .value.host, value: "host-\(.key + 1)"}) | from_entries) as $numbers
| def renamed: if type == "string" then $numbers[.] // . else . end;
  ([.hosts[] | .host, .hostname | values | ., split(".")[0] | select(length > 0)] | unique | sort_by(-length)) as $names
| .name = null | .redacted = true
| (.hosts[], .costs[], .orders[].on[]) |= (.host |= renamed)
| .spreads[] |= (.lowest_host |= renamed | .highest_host |= renamed)
| (.hosts[].why, .costs[].reason) |= (if . then redacted($names) else . end)
| .hosts[] |= (.hostname = null | .skipped |= redacted($names))
