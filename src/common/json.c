#include "json.h"

#include <stddef.h>

/* The length of the UTF-8 sequence that text begins with (RFC 3629), 0 if it is not valid. */
static size_t utf8_length(const unsigned char *text)
{
    size_t length;
    unsigned char low = 0x80, high = 0xbf;

    if (text[0] < 0x80)
        return 1;
    if (text[0] >= 0xc2 && text[0] <= 0xdf)
        length = 2;
    else if (text[0] >= 0xe0 && text[0] <= 0xef)
        length = 3;
    else if (text[0] >= 0xf0 && text[0] <= 0xf4)
        length = 4;
    else
        return 0;

    /* Overlong forms, surrogates and code points past U+10FFFF show in the second byte. */
    if (text[0] == 0xe0)
        low = 0xa0;
    else if (text[0] == 0xed)
        high = 0x9f;
    else if (text[0] == 0xf0)
        low = 0x90;
    else if (text[0] == 0xf4)
        high = 0x8f;

    for (size_t i = 1; i < length; i++) {
        if (text[i] < low || text[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

void json_string(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    putc('"', out);
    while (*p) {
        size_t length = utf8_length(p);

        if (length == 0) {
            fputs("\\ufffd", out);
            p++;
            continue;
        }
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < 0x20)
            fprintf(out, "\\u%04x", *p);
        else
            fwrite(p, 1, length, out);
        p += length;
    }
    putc('"', out);
}
