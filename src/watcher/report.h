/* Lines of the log: the daemon's stderr, each with the time in UTC. */
#ifndef WATCHER_REPORT_H
#define WATCHER_REPORT_H

void report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What errno says comes behind it. */
void report_errno(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
