#include "output.h"

#include <inttypes.h>

static void write_number(FILE *out, const char *name, double number, bool known)
{
    if (known)
        fprintf(out, ", \"%s\": %.3f", name, number);
    else
        fprintf(out, ", \"%s\": null", name);
}

static void write_rates(FILE *out, const struct tally *tally, enum count count)
{
    const double seconds = tally_seconds(tally);

    fprintf(out, "\"count\": %" PRIu64, tally_count(tally, count));
    write_number(out, "per_sec", (double)tally_count(tally, count) / seconds, seconds > 0);
    write_number(out, "lowest_per_sec", tally->lowest_per_sec[count], tally->spans > 0);
    write_number(out, "highest_per_sec", tally->highest_per_sec[count], tally->spans > 0);
}

static void write_syscalls(FILE *out, const struct tally *tally)
{
    fputs("{", out);
    write_rates(out, tally, SYSCALLS);
    fprintf(out, ", \"reads\": %" PRIu64 ", \"connects\": %" PRIu64 ", \"opens\": %" PRIu64 "}",
            tally_count(tally, READS), tally_count(tally, CONNECTS), tally_count(tally, OPENS));
}

void output_write(FILE *out, const struct tally *tally, bool with_syscalls, uint64_t missed, bool interrupted)
{
    fprintf(out, "{\n  \"duration_s\": %.3f,\n  \"executions\": {", tally_seconds(tally));
    write_rates(out, tally, EXECUTIONS);
    fputs("},\n  \"forks\": {", out);
    write_rates(out, tally, FORKS);
    fputs("},\n  \"syscalls\": ", out);
    if (with_syscalls)
        write_syscalls(out, tally);
    else
        fputs("null", out);
    fprintf(out, ",\n  \"missed\": %" PRIu64 ",\n  \"interrupted\": %s\n}\n", missed,
            interrupted ? "true" : "false");
}
