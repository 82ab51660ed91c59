/* A BPF program of ours that can be attached and detached. */
#ifndef BPFCOST_ATTACHMENT_H
#define BPFCOST_ATTACHMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "costs.h"
#include "kind.h"

struct bpf_link;
struct bpf_map;
struct bpf_object;
struct bpf_program;
struct shared;

struct attachment {
    enum type type;
    const char *target;
    struct bpf_object *object;
    struct bpf_program *program;
    struct bpf_link *link; /* NULL: not attached */
    struct bpf_map *ring;  /* into which a program that wakes a reader writes */
    volatile struct shared *shared;
};

/* Messages of libbpf's own are left out from here on. */
void attachment_init(void);

/* Both return NULL, or what was not possible, in a buffer that the next call reuses. */
const char *attachment_load(struct attachment *attachment, enum type type, const char *target,
                            enum work work);
const char *attachment_attach(struct attachment *attachment);

void attachment_detach(struct attachment *attachment);
void attachment_free(struct attachment *attachment);

/* Costs one system call. */
struct counted attachment_counted(const struct attachment *attachment);

#endif
