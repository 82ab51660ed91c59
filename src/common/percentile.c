#include "percentile.h"

size_t percentile_place(size_t count, unsigned permille)
{
    size_t rank = (count * permille + 999) / 1000;

    return rank > 0 ? rank - 1 : 0;
}
