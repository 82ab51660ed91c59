#include "columns.h"

#include <err.h>
#include <jansson.h>
#include <stdlib.h>

#include "figure.h"
#include "memory.h"

static const char *summary_words(const struct figure *figure)
{
    switch (figure->summary) {
    case SUMMARY_NONE:
        return "not in perf.csv";
    case SUMMARY_KEY:
        return "one row each";
    case SUMMARY_MEAN:
        return figure->main
                   ? "mean with its 95 % interval (_low, _high), lowest and highest cell (_lowest, _highest)"
                   : "mean with its 95 % interval (_low, _high)";
    case SUMMARY_MAX:
        return "largest";
    case SUMMARY_SUM:
        return "sum over all that went well";
    case SUMMARY_COUNTERS:
        return "sums over all that went well";
    case SUMMARY_SAME:
        return "what all have in common";
    case SUMMARY_MOST:
        return "what more than half of them are, and how many are (_reps)";
    case SUMMARY_MARGINAL:
        return "with its 95 % interval (_low, _high); only in perf.csv";
    case SUMMARY_REPS:
        return "number of cells; only in perf.csv";
    case SUMMARY_STATUS:
        return "of the first cell that is not ok";
    case SUMMARY_REASONS:
        return "all of them";
    }
    return "";
}

/* The caller frees it. */
static char *overhead_words(const struct figure *figure)
{
    if (!figure->overhead_of)
        return memory_copy("");
    return memory_print(", also in %% of %s (_overhead in place of _us)%s", figure->overhead_of,
                        figure->main ? ", with the degrees of freedom of that interval (_overhead_degrees)"
                                     : "");
}

static void write_markdown(FILE *out)
{
    fputs("| column | unit | window | source | over passes | what it is |\n"
          "| --- | --- | --- | --- | --- | --- |\n",
          out);
    for (size_t i = 0; i < figure_count; i++) {
        char *overhead = overhead_words(&figures[i]);

        fprintf(out, "| `%s` | %s | %s | %s | %s%s | %s |\n", figures[i].name,
                figures[i].unit ? figures[i].unit : "", figures[i].window, figures[i].source,
                summary_words(&figures[i]), overhead, figures[i].explanation);
        free(overhead);
    }
}

static void write_json(FILE *out)
{
    json_t *list = json_array();

    for (size_t i = 0; i < figure_count; i++) {
        char *overhead = overhead_words(&figures[i]);

        json_array_append_new(list, json_pack("{ss ss? ss ss ss+ ss}", "name", figures[i].name, "unit",
                                              figures[i].unit, "window", figures[i].window, "source",
                                              figures[i].source, "summary", summary_words(&figures[i]),
                                              overhead, "explanation", figures[i].explanation));
        free(overhead);
    }
    json_dumpf(list, out, JSON_INDENT(2));
    putc('\n', out);
    json_decref(list);
}

bool columns_write(FILE *out, bool json)
{
    if (json)
        write_json(out);
    else
        write_markdown(out);
    if (fflush(out) == 0 && !ferror(out))
        return true;
    warn("cannot write to stdout");
    return false;
}
