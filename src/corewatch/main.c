/* corewatch: tells when CPUs of this machine share a core, or have no cache in common. */
#include <stdlib.h>

#include "../common/outfile.h"
#include "../common/signals.h"
#include "options.h"
#include "watch.h"

int main(int argc, char **argv)
{
    const sigset_t signals = signals_block(NULL);
    struct options options;
    struct outfile output;

    options_parse(&options, argc, argv);
    outfile_open(&output, "output", options.output_path);
    watch(&options, output.stream, &signals);
    outfile_close(&output);
    return EXIT_SUCCESS;
}
