/* Work that keeps a core's arithmetic units busy, and nothing else. */
#ifndef COREWATCH_WORK_H
#define COREWATCH_WORK_H

#include <stdint.h>

/* How many rounds take about so long on this CPU. */
uint64_t work_rounds(int64_t ns);

/* The shortest time that so many rounds took, of three tries. */
int64_t work_ns(uint64_t rounds);

#endif
