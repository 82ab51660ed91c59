/* Memory without a failure to handle: where there is none left, the program ends with a message. */
#ifndef FIGURES_MEMORY_H
#define FIGURES_MEMORY_H

#include <stddef.h>

/* Zeroed. */
void *memory_new(size_t count, size_t size);

/* array, with room for one more item after count of them; *capacity is how many it has room for. */
void *memory_grow(void *array, size_t count, size_t *capacity, size_t size);

char *memory_copy(const char *text);

__attribute__((format(printf, 1, 2))) char *memory_print(const char *format, ...);

#endif
