/* Numbers as they are read and printed. An unknown number is NAN. */
#ifndef FIGURES_NUMBER_H
#define FIGURES_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNKNOWN ((double)NAN)
#define NUMBER_TEXT_SIZE 40

static inline bool is_known(double number)
{
    return number == number;
}

/* To three decimals, halves away from zero. */
double number_round(double number);

/* The shortest text that reads as the same number, empty if it is unknown. */
void number_format(double number, char text[NUMBER_TEXT_SIZE]);

/* All of text, which ends at end, as a whole number in decimal, without a plus sign. */
bool number_parse_whole(const char *text, const char *end, int64_t *value);

/* All of text as a number; false if it is none. */
bool number_parse(const char *text, double *value);

#endif
