/* The one part of JSON that printf can't write: strings. */
#ifndef EXECTAX_JSON_H
#define EXECTAX_JSON_H

#include <stdio.h>

/* Writes text as a quoted JSON string. A byte that is not part of valid UTF-8 becomes U+FFFD. */
void json_string(FILE *out, const char *text);

#endif
