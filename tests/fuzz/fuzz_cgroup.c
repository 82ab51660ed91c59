/* Files of cgroups. */
#include "fuzz.h"

#include "../../src/common/pids.h"
#include "../../src/cpumeter/cgroup.h"

static void parse_procs(const char *text)
{
    struct pids pids = {0};

    if (pids_parse(&pids, text)) {
        EXPECT(pids.count <= strlen(text) / 2);
        pids_sort(&pids);
        for (size_t i = 0; i < pids.count; i++) {
            EXPECT(pids.list[i] > 0);
            EXPECT(pids_has(&pids, pids.list[i]));
        }
    }
    pids_free(&pids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    uint64_t cpu_ns;

    cgroup_parse(text, true, &cpu_ns);
    if (cgroup_parse(text, false, &cpu_ns))
        EXPECT(cpu_ns % 1000 == 0 || cpu_ns == UINT64_MAX);
    parse_procs(text);
    free(text);
    return 0;
}
