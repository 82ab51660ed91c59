#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/figures-unit-XXXXXX";
static char path[sizeof(folder) + 16];

int files_setup(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof(path), "%s/file", folder);
    return 0;
}

int files_teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

const char *file_with(const char *text)
{
    FILE *file = fopen(path, "we");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
    return path;
}

const char *gzip_with(const char *text)
{
    gzFile file = gzopen(path, "wb");

    if (!file || gzwrite(file, text, (unsigned)strlen(text)) != (int)strlen(text) || gzclose(file) != Z_OK)
        abort();
    return path;
}

const char *gzip_cut(const char *text, size_t bytes)
{
    struct stat st;

    if (stat(gzip_with(text), &st) != 0 || truncate(path, st.st_size - (off_t)bytes) != 0)
        abort();
    return path;
}
