#include "json.h"

#include <stdbool.h>
#include <string.h>

/* The length of the UTF-8 sequence that text begins with (RFC 3629), 0 if it is not valid. */
static size_t utf8_length(const unsigned char *text, size_t available)
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
    if (length > available)
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

static bool is_plain(unsigned char byte)
{
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

/* What is not plain and begins at *text, which is moved past it. */
static char *put_special(char *out, const unsigned char **text, size_t available)
{
    static const char hex[] = "0123456789abcdef";
    const unsigned char *p = *text;
    size_t length = utf8_length(p, available);

    *text += length ? length : 1;
    if (length == 0)
        return (char *)memcpy(out, "\\ufffd", 6) + 6;
    if (length > 1)
        return (char *)memcpy(out, p, length) + length;
    *out++ = '\\';
    if (*p == '"' || *p == '\\') {
        *out++ = (char)*p;
        return out;
    }
    memcpy(out, "u00", 3);
    out[3] = hex[*p >> 4];
    out[4] = hex[*p & 0xf];
    return out + 5;
}

char *json_put_string(char *out, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + length;

    *out++ = '"';
    while (p < end) {
        if (is_plain(*p))
            *out++ = (char)*p++;
        else
            out = put_special(out, &p, (size_t)(end - p));
    }
    *out++ = '"';
    return out;
}

void json_string(FILE *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);
    char special[JSON_GROWTH];

    putc('"', out);
    while (p < end) {
        if (is_plain(*p))
            putc(*p++, out);
        else
            fwrite(special, 1, (size_t)(put_special(special, &p, (size_t)(end - p)) - special), out);
    }
    putc('"', out);
}
