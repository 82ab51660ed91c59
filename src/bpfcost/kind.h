/* The kinds of attachment, and the cases in which each is measured. */
#ifndef BPFCOST_KIND_H
#define BPFCOST_KIND_H

#include <stdbool.h>
#include <stddef.h>

#include "call.h"

enum type { RAW_TRACEPOINT, TP_BTF, TRACEPOINT, FENTRY, FEXIT, KPROBE, KRETPROBE, LSM, TYPES };

/* As in the names of kinds and of the BPF programs. */
extern const char *const type_names[TYPES];

/* What else is attached throughout, whether the program of the case is or not. */
enum place {
    FIRST,  /* nothing */
    SECOND, /* an empty program in the same place */
    THIRD,  /* two of them */
    BESIDE, /* one on the other end of all system calls, for which they take the slow path already */
    PLACES
};

extern const char *const place_names[PLACES];

enum work { EMPTY, WORK, WAKE, WORKS };

extern const char *const work_names[WORKS];

struct kind {
    enum type type;
    const char *target; /* of a tracepoint: group/name */
    const struct call *call;
    const char *beside;      /* raw tracepoint of the other end; NULL: there is none */
    bool by_all_calls;       /* every system call passes, whichever it is */
    bool by_another_process; /* it is not the measuring thread that passes */
    bool never;              /* the call does not pass at all: to see what is found where there is nothing */
    bool wakes;              /* the program wakes a reader, which sleeps again before the next call */
};

extern const struct kind kinds[];
extern const size_t kind_count;

/* TYPE:TARGET; in a buffer that the next call reuses. */
const char *kind_name(const struct kind *kind);

/* Its call takes so long that it takes many minutes to find what the program adds: measured only if named. */
bool kind_is_dear(const struct kind *kind);

/* Whether the kind is measured in that case. */
bool kind_has(const struct kind *kind, enum place place, enum work work);

#endif
