/* Numbers as they are read and printed. An unknown number is NAN; one that has grown beyond all numbers is
 * not known either. */
#ifndef FIGURES_NUMBER_H
#define FIGURES_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNKNOWN ((double)NAN)
#define NUMBER_TEXT_SIZE 40

/* No counter, clock or size is beyond it: it fits 64 bits, and so do a sum and a difference of two. A larger
 * one in a file is damage, or meant to be. */
#define NUMBER_MAX (INT64_MAX / 2)

static inline bool is_known(double number)
{
    return isfinite(number);
}

/* To three decimals, halves away from zero. */
double number_round(double number);

/* The shortest text that reads as the same number, empty if it is unknown. */
void number_format(double number, char text[NUMBER_TEXT_SIZE]);

/* Whether it is one that a file can have. */
static inline bool number_is_possible(double number)
{
    return fabs(number) <= (double)NUMBER_MAX;
}

/* All of text, which ends at end, as a whole number in decimal, without a plus sign; at most NUMBER_MAX. */
bool number_parse_whole(const char *text, const char *end, int64_t *value);

/* All of text as a number; false if it is none, or not a possible one. */
bool number_parse(const char *text, double *value);

#endif
