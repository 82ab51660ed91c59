/* Values of cpumeter's options. */
#include "fuzz.h"

#include "../../src/cpumeter/parse.h"

/* It cuts its text in two. */
static void parse_pair(const void *data, size_t size)
{
    char *text = fuzz_text(data, size), *whole = fuzz_text(data, size);
    const char *name, *value;

    if (!parse_named(text, &name, &value)) {
        EXPECT(!parse_name(name) && *value != '\0');
        EXPECT(strlen(name) + 1 + strlen(value) == strlen(whole));
    } else {
        EXPECT(strcmp(text, whole) == 0);
    }
    free(whole);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct owner owner;
    int64_t ns;
    uint32_t id;
    pid_t pid;

    if (!parse_name(text))
        EXPECT(*text != '\0' && !strpbrk(text, ",\"\n"));
    if (!parse_pid(text, &pid))
        EXPECT(pid > 0);
    if (!parse_seconds(text, &ns))
        EXPECT(ns >= 1000000 && ns <= INT64_C(315360000000000000));
    if (!parse_program_id(text, &id))
        EXPECT(*text >= '0' && *text <= '9');
    if (!parse_owner(text, &owner))
        EXPECT(owner.cgroup ? *owner.cgroup != '\0' : owner.pid > 0);
    parse_pair(data, size);
    free(text);
    return 0;
}
