/* Who is woken by a program that writes into a ring buffer: a thread that sleeps until there is something, as
 * that of a monitor. */
#ifndef BPFCOST_READER_H
#define BPFCOST_READER_H

struct bpf_map;
struct reader;

/* Its thread is on another CPU than the caller's if there is one. Ends the program if that can't be had. */
struct reader *reader_start(const struct bpf_map *ring);

/* NULL: nothing. */
void reader_end(struct reader *reader);

#endif
