# Sysinternals/SysmonForLinux, perftest, commit 1c1190a: % of one CPU in perf.csv and in perf2.csv, by rate; in the order of
# perf2.csv at 800/s.
def of_2021: {
  "auditd-raw": {"100": [4.54, 1.4], "800": [20, 5.56]},
  "go-audit": {"100": [5.2, 1.4], "800": [21.2, 6.56]},
  "auditd-enriched": {"100": [5.51, 2.27], "800": [24.26, 9.47]},
  "sysmon": {"100": [4.64, 4.43], "800": [18.52, 16.67]},
  "laurel": {"100": [7, 3.44], "800": [30.44, 17.24]},
  "auditbeat": {"100": [9.7, 6.07], "800": [40.03, 28.27]}
};
