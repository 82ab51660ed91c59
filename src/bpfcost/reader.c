#include "reader.h"

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "../common/cpulist.h"

struct reader {
    struct ring_buffer *buffer;
    pthread_t thread;
};

static int look(void *context, void *record, size_t size)
{
    (void)context, (void)record, (void)size;
    return 0;
}

/* Begins on the only CPU that whoever has started it may use. On a machine with no other one it stays there.
 */
static void leave_cpu(void)
{
    struct cpulist cpus;

    memset(&cpus, 0xff, sizeof(cpus));
    CPU_CLR_S((size_t)sched_getcpu(), sizeof(cpus.set), cpus.set);
    if (cpulist_set_affinity(&cpus) != 0 && errno != EINVAL)
        err(EXIT_FAILURE, "cannot move a reader to another CPU");
}

/* Ended by cancellation, while it waits. */
static void *read_all(void *context)
{
    struct reader *reader = context;

    leave_cpu();
    for (;;)
        if (ring_buffer__poll(reader->buffer, -1) < 0 && errno != EINTR)
            err(EXIT_FAILURE, "cannot wait for a BPF ring buffer");
    return NULL;
}

struct reader *reader_start(const struct bpf_map *ring)
{
    struct reader *reader = malloc(sizeof(*reader));

    if (!reader)
        err(EXIT_FAILURE, "cannot allocate a reader");
    reader->buffer = ring_buffer__new(bpf_map__fd(ring), look, NULL, NULL);
    if (!reader->buffer)
        err(EXIT_FAILURE, "cannot map a BPF ring buffer");
    errno = pthread_create(&reader->thread, NULL, read_all, reader);
    if (errno)
        err(EXIT_FAILURE, "cannot start a thread that reads a BPF ring buffer");
    return reader;
}

void reader_end(struct reader *reader)
{
    if (!reader)
        return;
    pthread_cancel(reader->thread);
    pthread_join(reader->thread, NULL);
    ring_buffer__free(reader->buffer);
    free(reader);
}
