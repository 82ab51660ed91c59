/* syscost: what cheap system calls cost, in ns of CPU time a call. */
#include <stdlib.h>

#include "options.h"
#include "output.h"
#include "run.h"

int main(int argc, char **argv)
{
    struct options options;
    struct output output;
    struct run run;

    options_parse(&options, argc, argv);
    run_init(&run, &options);
    output_open(&output, &options);

    run_measure(&run);

    output_write(&output, &run);
    run_free(&run);
    return run.interrupted_by ? 128 + run.interrupted_by : EXIT_SUCCESS;
}
