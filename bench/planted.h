#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* What launches of build/planted have used, by group: [0] those that were left alone, [1] the others. */
struct burnt {
    _Atomic int64_t launches[2];
    _Atomic int64_t ns[2];
};
