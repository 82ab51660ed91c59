/* Files of /proc. */
#include "fuzz.h"

#include "../../src/common/pids.h"
#include "../../src/cpumeter/kthread.h"
#include "../../src/cpumeter/memory.h"
#include "../../src/cpumeter/owner.h"
#include "../../src/cpumeter/procstat.h"
#include "../../src/cpumeter/timerlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    uint64_t bytes, peak_bytes;
    struct timerlist list;
    struct procstat stat;
    uint32_t id;

    if (procstat_parse(text, 10000000, &stat))
        EXPECT(stat.cpus > 0);
    if (timerlist_parse(text, &list))
        EXPECT(list.cpus > 0);
    if (kthread_matches(text, "kauditd"))
        EXPECT(strstr(text, "(kauditd)"));
    if (memory_parse_status(text, &bytes, &peak_bytes))
        EXPECT(bytes >= 1024 || bytes == 0);
    if (owner_parse_fdinfo(text, &id))
        EXPECT(id > 0);
    if (pids_stat_is_dead(text))
        EXPECT(strchr(text, ')'));
    free(text);
    return 0;
}
