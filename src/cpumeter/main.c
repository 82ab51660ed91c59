/* cpumeter: reads CPU time counters at the ends of a window, and every so often, and writes them as CSV. */
#include <stdlib.h>

#include "meter.h"
#include "options.h"
#include "output.h"
#include "window.h"

int main(int argc, char **argv)
{
    struct options options;
    struct output output;
    struct window window;
    struct meter meter;

    options_parse(&options, argc, argv);
    meter_open(&meter, &options);
    output_open(&output, &options);
    window_open(&window, &options);

    output_write(&output, meter_read(&meter));
    while (!options.once && window_wait(&window))
        output_write(&output, meter_read(&meter));
    if (!options.once)
        output_write(&output, meter_read(&meter));
    return EXIT_SUCCESS;
}
