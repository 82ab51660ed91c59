/* Fuzzers of the files of a cell: each takes some of them. */
#ifndef EXECTAX_FUZZ_CELL_H
#define EXECTAX_FUZZ_CELL_H

#include "folder.h"

#include "../../src/figures/cell.h"
#include "../../src/figures/memory.h"
#include "../../src/figures/syscalls.h"

static void cell_fuzz_write(const struct cell *cell)
{
    static FILE *out;

    if (!out)
        out = fopen("/dev/null", "we");
    EXPECT(out);
    for (size_t i = 0; i < figure_count; i++)
        cell_write_field(out, cell, i);
}

/* As a cell that went well, of which something is expected, and as one that did not. */
static void cell_fuzz_read(const char *folder, const struct expected *expected)
{
    struct planned planned = {.cell = 1, .rep = 1, .rate = 4, .turn = 1, .monitor = memory_copy("m")};
    struct problem problem = {""}, of_json = {""};
    struct cell cell;
    struct raw raw;

    cell_init(&cell, &planned);
    raw_read(&raw, folder, expected, &problem);
    raw.json[RAW_CELL] = raw_read_json(folder, RAW_CELL, &of_json);
    syscalls_read(&cell.syscalls, folder, &problem);
    cell_take_figures(&cell, &raw);
    cell_fuzz_write(&cell);
    raw_free(&raw);
    cell_free(&cell);
}

static void cell_fuzz(const char *folder)
{
    static const struct expected all = {
        .load = true, .window_b = true, .run_tag = "xtag", .cell = 1, .samples = 2};

    cell_fuzz_read(folder, NULL);
    cell_fuzz_read(folder, &all);
}

#endif
