#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../../src/common/json.h"

static void assert_json_string(const char *text, const char *expected)
{
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);

    json_string(out, text);
    fclose(out);
    assert_string_equal(written, expected);
    free(written);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_json_string("/bin/true", "\"/bin/true\"");
    assert_json_string("", "\"\"");
    assert_json_string("a\"b\\c", "\"a\\\"b\\\\c\"");
    assert_json_string("a\n\x01", "\"a\\u000a\\u0001\"");
}

static void only_valid_utf8_passes(void **state)
{
    (void)state;
    assert_json_string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7\"");
    assert_json_string("\xff", "\"\\ufffd\"");
    assert_json_string("a\xc3", "\"a\\ufffd\"");
    assert_json_string("\xc0\xaf", "\"\\ufffd\\ufffd\"");            /* overlong */
    assert_json_string("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    assert_json_string("\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* overlong */
    assert_json_string("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    assert_json_string("\xe2\x82", "\"\\ufffd\\ufffd\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(only_valid_utf8_passes),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
