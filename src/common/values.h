/* Values of options that several programs have. Each returns NULL, or what was expected instead of the text.
 */
#ifndef EXECTAX_VALUES_H
#define EXECTAX_VALUES_H

#include <stdint.h>
#include <sys/types.h>

/* Seconds, which may have a fraction. */
const char *parse_duration(const char *text, int64_t *duration_ns);

/* Two different group ids, with a comma between them. */
const char *parse_groups(const char *text, gid_t groups[2]);

#endif
