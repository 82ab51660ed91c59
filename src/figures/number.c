#include "number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below it, a number with three decimals has at most 15 digits, which identify it. */
static const double three_decimals_identify = 1e12;

double number_round(double number)
{
    /* Zero has no sign: what is added makes +0 of -0. */
    return round(number * 1000) / 1000 + 0.0;
}

static void strip_zeros(char *text)
{
    char *last = text + strlen(text) - 1;

    while (*last == '0')
        *last-- = '\0';
    if (*last == '.')
        *last = '\0';
}

/* The fewest digits that identify number, as d.ddde+XX. */
static void format_shortest(double number, char text[NUMBER_TEXT_SIZE])
{
    for (int decimals = 0; decimals <= 16; decimals++) {
        snprintf(text, NUMBER_TEXT_SIZE, "%.*e", decimals, number);
        if (strtod(text, NULL) == number)
            return;
    }
}

/* An exponent only where more than 15 zeros would have to be filled in, or three after the point. */
static void format_any(double number, char text[NUMBER_TEXT_SIZE])
{
    char shortest[NUMBER_TEXT_SIZE], digits[NUMBER_TEXT_SIZE];
    int count = 0, point;

    format_shortest(fabs(number), shortest);
    for (const char *c = shortest; *c != 'e'; c++)
        if (*c != '.')
            digits[count++] = *c;
    point = atoi(strchr(shortest, 'e') + 1) + 1;
    if (signbit(number))
        *text++ = '-';
    if (point <= -4 || point > count + 15) {
        strcpy(text, shortest);
        return;
    }
    for (int place = point < 1 ? point - 1 : 0; place < count || place < point; place++) {
        if (place == point)
            *text++ = '.';
        *text++ = place >= 0 && place < count ? digits[place] : '0';
    }
    *text = '\0';
}

void number_format(double number, char text[NUMBER_TEXT_SIZE])
{
    text[0] = '\0';
    if (!is_known(number))
        return;
    if (fabs(number) < three_decimals_identify) {
        snprintf(text, NUMBER_TEXT_SIZE, "%.3f", number);
        if (strtod(text, NULL) == number) {
            strip_zeros(text);
            return;
        }
    }
    format_any(number, text);
}

bool number_parse_whole(const char *text, const char *end, int64_t *value)
{
    bool negative = text < end && *text == '-';
    uint64_t magnitude = 0;

    text += negative;
    /* 19 digits always fit 64 bits without a sign. */
    if (text == end || end - text > 19)
        return false;
    for (; text < end; text++) {
        if (!isdigit((unsigned char)*text))
            return false;
        magnitude = 10 * magnitude + (uint64_t)(*text - '0');
    }
    if (magnitude > NUMBER_MAX)
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool number_parse(const char *text, double *value)
{
    char *end;

    if (!isdigit((unsigned char)*text) && *text != '-')
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && number_is_possible(*value);
}
