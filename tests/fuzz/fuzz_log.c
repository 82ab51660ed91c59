/* A log: the first line is the tag's prefix, the rest comes in chunks. */
#include "fuzz.h"

#include "../../src/logfollow/scanner.h"

struct found {
    size_t count;
    uint64_t hash;
};

static void note(void *arg, uint64_t seq)
{
    struct found *found = arg;

    found->count++;
    found->hash = (found->hash ^ seq) * UINT64_C(1099511628211);
}

static struct found scan(const char *prefix, const char *text, size_t size, size_t chunk)
{
    struct scanner scanner;
    struct found found = {0};

    scanner_init(&scanner, prefix);
    for (size_t done = 0; done < size; done += chunk)
        scanner_feed(&scanner, text + done, size - done < chunk ? size - done : chunk, note, &found);
    scanner_finish(&scanner, note, &found);
    return found;
}

/* The same, so simple that it is right. */
static struct found search(const char *prefix, const char *text, size_t size)
{
    const size_t length = strlen(prefix);
    struct found found = {0};
    size_t at = 0;

    while (at + length + 1 < size) {
        size_t p = at + length + 1;
        uint64_t seq = 0;

        if (memcmp(text + at, prefix, length) != 0 || text[at + length] != '-' || text[p] < '0' ||
            text[p] > '9') {
            at++;
            continue;
        }
        for (; p < size && text[p] >= '0' && text[p] <= '9'; p++) {
            const unsigned digit = (unsigned)(text[p] - '0');

            seq = seq > (UINT64_MAX - digit) / 10 ? UINT64_MAX : seq * 10 + digit;
        }
        note(&found, seq);
        at = p;
    }
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = memchr(text, '\n', size);
    struct found expected, whole, chunked;

    if (rest) {
        *rest++ = '\0';
        size -= (size_t)(rest - text);
    }
    if (rest && !parse_tag(text)) {
        expected = search(text, rest, size);
        whole = scan(text, rest, size, size + 1);
        chunked = scan(text, rest, size, 1 + size % 7);
        EXPECT(whole.count == expected.count && whole.hash == expected.hash);
        EXPECT(chunked.count == expected.count && chunked.hash == expected.hash);
    }
    free(text);
    return 0;
}
