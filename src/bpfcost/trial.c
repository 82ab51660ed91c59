#include "trial.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "attachment.h"
#include "statistics.h"

#define TRIAL_CALLS 10

/* A hook may take a program and not be called: that of an LSM that was not switched on at boot, for example.
 */
static const char *try_running(const struct kind *kind, const struct attachment *attachment)
{
    static char text[128];
    const int statistics = statistics_start();
    uint64_t runs;

    kind->call->make(TRIAL_CALLS);
    runs = attachment_counted(attachment).runs;
    statistics_stop(statistics);
    if (kind->never || runs >= TRIAL_CALLS)
        return NULL;
    snprintf(text, sizeof(text), "attached, but it ran %" PRIu64 " times in %d calls", runs, TRIAL_CALLS);
    return text;
}

const char *trial_of(const struct kind *kind)
{
    struct attachment attachment;
    const char *problem = attachment_load(&attachment, kind->type, kind->target, kind->wakes ? WAKE : WORK);

    if (problem)
        return problem;
    problem = attachment_attach(&attachment);
    if (!problem)
        problem = try_running(kind, &attachment);
    attachment_free(&attachment);
    return problem;
}
