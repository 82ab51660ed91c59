/* Fuzzers of what reads the files of a run. An input is the files of one, each after a line `=== NAME`; what
 * is not among the names that a fuzzer takes is left out. They are written into a folder, gzipped where they
 * are read so, and the reader is called with that folder. */
#ifndef EXECTAX_FUZZ_FOLDER_H
#define EXECTAX_FUZZ_FOLDER_H

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"

const char *__asan_default_options(void);
void __wrap_err(int status, const char *format, ...) __attribute__((noreturn));
void __wrap_errx(int status, const char *format, ...) __attribute__((noreturn));
void __wrap_warnx(const char *format, ...);

static jmp_buf folder_refused;
static char folder_path[64];

/* What is refused ends the program, which leaks then. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* In place of those of libc: a file was refused, and that is an answer. */
void __wrap_err(int status, const char *format, ...)
{
    (void)status;
    (void)format;
    longjmp(folder_refused, 1);
}

void __wrap_errx(int status, const char *format, ...)
{
    (void)status;
    (void)format;
    longjmp(folder_refused, 1);
}

void __wrap_warnx(const char *format, ...)
{
    (void)format;
}

static bool folder_is_gzipped(const char *name)
{
    const char *end = strrchr(name, '.');

    return end && strcmp(end, ".gz") == 0;
}

static void folder_remove(const char *const names[])
{
    char path[PATH_MAX];

    for (size_t i = 0; names[i]; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder_path, names[i]);
        unlink(path);
    }
}

static void folder_write(const char *name, const char *text, size_t size)
{
    char path[PATH_MAX];
    size_t written;

    snprintf(path, sizeof(path), "%s/%s", folder_path, name);
    if (folder_is_gzipped(name)) {
        gzFile file = gzopen(path, "wb1");

        EXPECT(file);
        written = size > 0 ? (size_t)gzwrite(file, text, (unsigned)size) : 0;
        EXPECT(gzclose(file) == Z_OK);
    } else {
        FILE *file = fopen(path, "we");

        EXPECT(file);
        written = fwrite(text, 1, size, file);
        EXPECT(fclose(file) == 0);
    }
    EXPECT(written == size);
}

/* The folders on the way to a file. */
static void folder_make_way(const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", folder_path, name);
    for (char *slash = path + strlen(folder_path) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        EXPECT(mkdir(path, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
}

static void folder_make(const char *const names[])
{
    snprintf(folder_path, sizeof(folder_path), "%s/exectax-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    EXPECT(mkdtemp(folder_path));
    for (size_t i = 0; names[i]; i++)
        folder_make_way(names[i]);
}

static void folder_end(void)
{
    char command[PATH_MAX];

    snprintf(command, sizeof(command), "rm -rf -- '%s'", folder_path);
    EXPECT(system(command) == 0);
}

static const char *const *folder_find(const char *const names[], const char *name, size_t length)
{
    for (; *names; names++)
        if (strlen(*names) == length && memcmp(*names, name, length) == 0)
            return names;
    return NULL;
}

/* Where the next file of an input begins, or end. */
static const char *folder_next(const char *text, const char *end)
{
    static const char mark[] = "\n=== ";
    const char *next = memmem(text, (size_t)(end - text), mark, sizeof(mark) - 1);

    return next ? next + 1 : end;
}

static void folder_fill(const char *const names[], const char *text, const char *end)
{
    while (text < end) {
        const char *line = memchr(text, '\n', (size_t)(end - text)), *next;
        const char *const *name;

        if (!line)
            return;
        next = folder_next(line, end);
        name = strncmp(text, "=== ", 4) == 0 ? folder_find(names, text + 4, (size_t)(line - text - 4)) : NULL;
        if (name)
            folder_write(*name, line + 1, (size_t)(next - line - 1));
        text = next;
    }
}

/* Calls the reader with the folder of one input. */
static void folder_fuzz(const uint8_t *data, size_t size, const char *const names[],
                        void (*reader)(const char *folder))
{
    char *text = fuzz_text(data, size);

#ifndef PLANTED_BUG
    if (!*folder_path) {
        folder_make(names);
        atexit(folder_end);
    }
    folder_fill(names, text, text + size);
    if (setjmp(folder_refused) == 0)
        reader(folder_path);
    folder_remove(names);
#else
    (void)names;
    (void)reader;
    (void)folder_fill;
    (void)folder_make;
    (void)folder_end;
    (void)folder_remove;
#endif
    free(text);
}

#endif
