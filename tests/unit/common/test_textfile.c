#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../src/common/textfile.h"

static int make_folder(void **state)
{
    static char folder[] = "/tmp/exectax-textfile-XXXXXX";

    *state = mkdtemp(folder);
    return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[64];

    snprintf(path, sizeof(path), "%s/file", (char *)*state);
    unlink(path);
    return rmdir(*state);
}

static void a_file_that_is_not_there_is_not_made(void **state)
{
    const char *folder = *state;

    errno = 0;
    assert_false(textfile_write(folder, "file", "text"));
    assert_int_equal(errno, ENOENT);
    assert_null(textfile_read_once(folder, "file"));
    assert_int_equal(errno, ENOENT);
}

static void what_was_written_is_read(void **state)
{
    const char *folder = *state, *read;
    char path[64], *text;

    snprintf(path, sizeof(path), "%s/file", folder);
    fclose(fopen(path, "we"));
    assert_true(textfile_write(folder, "file", "some text\n"));
    assert_string_equal(textfile_read_once(folder, "file"), "some text\n");

    /* More than is read at once. */
    text = malloc(100001);
    memset(text, 'x', 100000);
    text[100000] = '\0';
    assert_true(textfile_write(folder, "file", text));
    read = textfile_read_once(folder, "file");
    assert_non_null(read);
    assert_int_equal(strlen(read), 100000);
    free(text);
}

static void what_is_not_taken_is_an_error(void **state)
{
    (void)state;
    errno = 0;
    assert_false(textfile_write("/dev", "full", "text"));
    assert_int_equal(errno, ENOSPC);
}

static void a_path_that_is_too_long_is_an_error(void **state)
{
    char folder[5000];

    (void)state;
    memset(folder, 'x', sizeof(folder) - 1);
    folder[sizeof(folder) - 1] = '\0';
    assert_false(textfile_write(folder, "file", "text"));
    assert_int_equal(errno, ENAMETOOLONG);
}

static void errors_of_what_is_no_more(void **state)
{
    (void)state;
    assert_true(textfile_is_gone(ENOENT));
    assert_true(textfile_is_gone(ENODEV));
    assert_true(textfile_is_gone(ESRCH));
    assert_false(textfile_is_gone(EACCES));
    assert_false(textfile_is_gone(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_not_there_is_not_made),
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(what_is_not_taken_is_an_error),
        cmocka_unit_test(a_path_that_is_too_long_is_an_error),
        cmocka_unit_test(errors_of_what_is_no_more),
    };

    return cmocka_run_group_tests_name("textfile", tests, make_folder, remove_folder);
}
