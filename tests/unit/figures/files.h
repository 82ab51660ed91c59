/* Files for the parsers to read, in a folder that goes away again. */
#ifndef TESTS_FIGURES_FILES_H
#define TESTS_FIGURES_FILES_H

#include <stddef.h>

/* For a group of tests: the folder. */
int files_setup(void **state);
int files_teardown(void **state);

/* The path of a file with that text, valid until the next call; gzipped, and then without its last bytes. */
const char *file_with(const char *text);
const char *gzip_with(const char *text);
const char *gzip_cut(const char *text, size_t bytes);

#endif
