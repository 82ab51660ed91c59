/* Values of execrate's options. */
#include "fuzz.h"

#include "../../src/common/cpulist.h"
#include "../../src/common/tag.h"
#include "../../src/common/values.h"
#include "../../src/execrate/action.h"
#include "../../src/execrate/parse.h"

/* Written and read again, a list is the same. */
static void parse_cpus(const char *text)
{
    static char written[64 * 1024];
    struct cpulist cpus, again;

    if (cpulist_parse(text, &cpus) != NULL)
        return;
    EXPECT(cpulist_count(&cpus) > 0);
    cpulist_format(&cpus, written, sizeof(written));
    EXPECT(cpulist_parse(written, &again) == NULL);
    EXPECT(memcmp(&cpus, &again, sizeof(cpus)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct action *actions[ACTIONS_MAX];
    char *text = fuzz_text(data, size);
    int64_t duration_ns;
    uint64_t rate_uhz;
    unsigned count;

    if (!parse_rate(text, &rate_uhz))
        EXPECT(rate_uhz > 0 && rate_uhz <= UINT64_C(1000000000000000));
    if (!parse_duration(text, &duration_ns))
        EXPECT(duration_ns > 0 && duration_ns <= INT64_C(315360000000000000));
    if (!parse_threads(text, &count))
        EXPECT(count <= THREADS_MAX);
    if (!parse_actions(text, actions, &count))
        EXPECT(count > 0 && count <= ACTIONS_MAX);
    if (!parse_tag(text))
        EXPECT(strlen(text) <= TAG_MAX && !strpbrk(text, " \"\n"));
    parse_cpus(text);
    free(text);
    return 0;
}
