#include "pidtable.h"

#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>

int pidtable_init(struct pidtable *table)
{
    void *slots = mmap(NULL, PIDTABLE_SLOTS * sizeof(*table->slots), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    if (slots == MAP_FAILED)
        return -1;
    table->slots = slots;
    return 0;
}

void pidtable_free(struct pidtable *table)
{
    munmap(table->slots, PIDTABLE_SLOTS * sizeof(*table->slots));
    table->slots = NULL;
}

bool pidtable_take(struct pidtable *table, pid_t pid, uint64_t *seq)
{
    uint32_t slot;

    if (pid <= 0 || pid >= PIDTABLE_SLOTS)
        return false;
    slot = atomic_exchange_explicit(&table->slots[pid], 0, memory_order_acquire);
    if (slot == 0)
        return false;
    *seq = slot - 1;
    return true;
}

void pidtable_kill(struct pidtable *table, int signal)
{
    for (pid_t pid = 1; pid < PIDTABLE_SLOTS; pid++)
        if (atomic_load_explicit(&table->slots[pid], memory_order_acquire) != 0)
            kill(pid, signal);
}
