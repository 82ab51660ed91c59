#include "../unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../src/common/outfile.h"

static void no_path_and_a_hyphen_are_stdout(void **state)
{
    struct outfile file;

    (void)state;
    outfile_open(&file, "output", NULL);
    assert_ptr_equal(file.stream, stdout);
    assert_null(file.path);
    outfile_open(&file, "output", "-");
    assert_ptr_equal(file.stream, stdout);
    assert_null(file.path);
}

static void a_file_is_emptied_and_written(void **state)
{
    char path[] = "/tmp/exectax-outfile-XXXXXX", text[20] = "";
    int fd = mkstemp(path);
    struct outfile file;

    (void)state;
    assert_int_equal(write(fd, "what was there", 14), 14);
    outfile_open(&file, "output", path);
    fputs("one ", file.stream);
    outfile_flush(&file);
    assert_int_equal(pread(fd, text, sizeof(text), 0), 4);
    fputs("two", file.stream);
    outfile_close(&file);
    assert_int_equal(pread(fd, text, sizeof(text), 0), 7);
    assert_string_equal(text, "one two");
    close(fd);
    unlink(path);
}

static void one_file_by_two_paths_is_the_same(void **state)
{
    char path[] = "/tmp/exectax-outfile-XXXXXX", second_path[40],
         other_path[] = "/tmp/exectax-outfile-XXXXXX";
    const int fd = mkstemp(path), other_fd = mkstemp(other_path);
    struct outfile file, second, other, null, same_null;

    (void)state;
    snprintf(second_path, sizeof(second_path), "/tmp/.%s", path + strlen("/tmp"));
    outfile_open(&file, "output", path);
    outfile_open(&second, "output", second_path);
    outfile_open(&other, "output", other_path);
    outfile_open(&null, "output", "/dev/null");
    outfile_open(&same_null, "output", "/dev/null");
    assert_true(outfile_is_same(&file, &second));
    assert_false(outfile_is_same(&file, &other));
    /* Where nothing is kept, two may write. */
    assert_false(outfile_is_same(&null, &same_null));
    outfile_close(&file);
    outfile_close(&second);
    outfile_close(&other);
    outfile_close(&null);
    outfile_close(&same_null);
    outfile_open(&file, "output", "-");
    outfile_open(&second, "output", NULL);
    assert_true(outfile_is_same(&file, &second));
    close(fd);
    close(other_fd);
    unlink(path);
    unlink(other_path);
}

static void flush_full(void)
{
    struct outfile file;

    outfile_open(&file, "output", "/dev/full");
    putc('x', file.stream);
    outfile_flush(&file);
}

static void close_full(void)
{
    struct outfile file;

    outfile_open(&file, "output", "/dev/full");
    putc('x', file.stream);
    outfile_close(&file);
}

/* The stream has forgotten what it could not write, but not that it could not. */
static void flush_after_a_failure(void)
{
    struct outfile file;

    outfile_open(&file, "output", "/dev/full");
    setvbuf(file.stream, NULL, _IONBF, 0);
    putc('x', file.stream);
    outfile_flush(&file);
}

static void close_after_a_failure(void)
{
    struct outfile file;

    outfile_open(&file, "output", "/dev/full");
    setvbuf(file.stream, NULL, _IONBF, 0);
    putc('x', file.stream);
    outfile_close(&file);
}

static void open_nothing(void)
{
    struct outfile file;

    outfile_open(&file, "output", "/nonexistent/file");
}

/* What a function that ends its process says on stderr; status: its exit status. */
static const char *last_words(void (*function)(void), int *status)
{
    static char words[200];
    int errors[2], wait_status;
    ssize_t length;
    pid_t child;

    assert_int_equal(pipe(errors), 0);
    /* What is buffered would be written by both. */
    fflush(NULL);
    child = fork();
    if (child == 0) {
        dup2(errors[1], STDERR_FILENO);
        function();
        _exit(0);
    }
    close(errors[1]);
    assert_int_equal(waitpid(child, &wait_status, 0), child);
    assert_true(WIFEXITED(wait_status));
    *status = WEXITSTATUS(wait_status);
    length = read(errors[0], words, sizeof(words) - 1);
    assert_true(length >= 0);
    words[length] = '\0';
    close(errors[0]);
    return words;
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void what_cannot_be_written_ends_the_program(void **state)
{
    const struct {
        void (*function)(void);
        const char *words;
        int status;
    } cases[] = {
        {flush_full, ": cannot write /dev/full: No space left on device\n", EXIT_FAILURE},
        {close_full, ": cannot write /dev/full: No space left on device\n", EXIT_FAILURE},
        {flush_after_a_failure, ": cannot write /dev/full: Input/output error\n", EXIT_FAILURE},
        {close_after_a_failure, ": cannot write /dev/full: Input/output error\n", EXIT_FAILURE},
        {open_nothing, ": --output '/nonexistent/file': cannot write to it: No such file or directory\n", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        int status;
        const char *words = last_words(cases[i].function, &status);

        if (status != cases[i].status || !ends_with(words, cases[i].words))
            fail_msg("case %zu: exit status %d, '%s'", i, status, words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_path_and_a_hyphen_are_stdout),
        cmocka_unit_test(a_file_is_emptied_and_written),
        cmocka_unit_test(one_file_by_two_paths_is_the_same),
        cmocka_unit_test(what_cannot_be_written_ends_the_program),
    };

    return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
