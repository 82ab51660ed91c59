#include "../unit.h"

#include <string.h>

#include "../../../src/common/tag.h"

static void tags(void **state)
{
    const char *const bad[] = {"", "a b", "a\"b", "a'b", "caf\xc3\xa9", "a/b", "a\n", "a,b", "%d", "a\x7f"};
    char text[TAG_MAX + 2];

    (void)state;
    assert_null(parse_tag("Az09._:-"));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_tag(bad[i]));

    memset(text, 'a', sizeof(text));
    text[TAG_MAX] = '\0';
    assert_null(parse_tag(text));
    text[TAG_MAX] = 'a';
    text[TAG_MAX + 1] = '\0';
    assert_non_null(parse_tag(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags),
    };

    return cmocka_run_group_tests_name("tag", tests, NULL, NULL);
}
