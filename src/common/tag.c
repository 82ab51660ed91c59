#include "tag.h"

#include <string.h>

const char *parse_tag(const char *text)
{
    size_t length = strlen(text);

    /* audit writes an argument with a space, a quote or a non-ASCII byte in hex; keep away from all of those.
     */
    if (length == 0 || length > TAG_MAX ||
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:-") != length)
        return "expected 1 to 100 characters from A-Z a-z 0-9 . _ : -";
    return NULL;
}
