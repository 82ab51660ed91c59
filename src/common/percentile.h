/* The one definition of a percentile. */
#ifndef COMMON_PERCENTILE_H
#define COMMON_PERCENTILE_H

#include <stddef.h>

/* Where it is among count sorted values, from 0 on: the first of them that at least so many of 1000 are not
 * above (the nearest rank). count is not 0. */
size_t percentile_place(size_t count, unsigned permille);

#endif
