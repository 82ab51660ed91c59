/* Which launch a running child belongs to: one slot for each possible pid. */
#ifndef EXECRATE_PIDTABLE_H
#define EXECRATE_PIDTABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The kernel's PID_MAX_LIMIT on 64 bits: /proc/sys/kernel/pid_max can't be set higher, whenever it is set. */
#define PIDTABLE_SLOTS 4194304

struct pidtable {
    _Atomic uint32_t *slots; /* sequence + 1; 0: not a child of ours */
};

/* 0, or -1 with errno. */
int pidtable_init(struct pidtable *table);
void pidtable_free(struct pidtable *table);

static inline void pidtable_set(struct pidtable *table, pid_t pid, uint64_t seq)
{
    atomic_store_explicit(&table->slots[pid], (uint32_t)seq + 1, memory_order_release);
}

/* Takes the pid's sequence out of the table; false if it isn't there. */
bool pidtable_take(struct pidtable *table, pid_t pid, uint64_t *seq);

/* Sends a signal to every process in the table. */
void pidtable_kill(struct pidtable *table, int signal);

#endif
