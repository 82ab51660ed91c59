/* The one part of JSON that printf can't write: strings. */
#ifndef EXECTAX_JSON_H
#define EXECTAX_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Bytes that one byte of text can become. */
#define JSON_GROWTH 6

/* Both write text as a quoted JSON string. A byte that is not part of valid UTF-8 becomes U+FFFD. */

void json_string(FILE *out, const char *text);

/* Into out, which has room for JSON_GROWTH * length + 2 bytes; returns its end. text may contain NUL. */
char *json_put_string(char *out, const char *text, size_t length);

#endif
