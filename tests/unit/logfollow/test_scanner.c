#include "../unit.h"

#include <string.h>

#include "../../../src/logfollow/scanner.h"

#define FOUND_MAX 64

struct found {
    uint64_t seqs[FOUND_MAX];
    size_t count;
};

static void remember(void *arg, uint64_t seq)
{
    struct found *found = arg;

    assert_true(found->count < FOUND_MAX);
    found->seqs[found->count++] = seq;
}

/* What is meant, without regard to speed and to pieces: leftmost matches that do not overlap, as grep -o
 * finds. */
static void find_plainly(const char *prefix, const char *text, size_t size, struct found *found)
{
    size_t length = strlen(prefix);

    found->count = 0;
    for (size_t i = 0; i + length + 1 < size; i++) {
        size_t p = i + length + 1;
        uint64_t seq = 0;

        if (memcmp(text + i, prefix, length) != 0 || text[i + length] != '-')
            continue;
        if (text[p] < '0' || text[p] > '9')
            continue;
        while (p < size && text[p] >= '0' && text[p] <= '9')
            seq = seq * 10 + (uint64_t)(text[p++] - '0');
        remember(found, seq);
        i = p - 1;
    }
}

static void assert_same(const struct found *found, const struct found *expected)
{
    assert_int_equal(found->count, expected->count);
    for (size_t i = 0; i < found->count; i++)
        assert_true(found->seqs[i] == expected->seqs[i]);
}

static const struct {
    const char *prefix;
    const char *text;
    size_t count;
} cases[] = {
    {"x1a2b3c4d.17", "type=EXECVE argc=2 a0=\"/bin/true\" a1=\"x1a2b3c4d.17-4711\"\n", 1},
    {"x1a2b3c4d.17", "x1a2b3c4d.17-0 x1a2b3c4d.17-1,x1a2b3c4d.17-10", 3},
    {"x1a2b3c4d.17", "x1a2b3c4d.17-12x1a2b3c4d.17-3", 2},
    {"x1a2b3c4d.1", "x1a2b3c4d.17-4711 x1a2b3c4d.1-5 x1a2b3c4d.12-6", 1},
    {"x1", "xx1-1 xx1x1-2 x1-x1-3 x1- x1-- x1-a x1_4 1-5 x-6", 3},
    {"x1", "ax1-1b", 1},
    {"a-a", "a-a-a-a-7 a-a-a-8-a-a-9 a-a-1-a-a", 4},
    {"aab", "aaab-1 aabaab-2 aabaaab-3 aab-aab-4", 4},
    {"1", "1-1-5 11-6-1-7", 3},
    {"12-1", "12-12-1-3 12-112-1-4", 2},
    {"-", "--1---2 -3", 2},
    {"t", "t-007 t-00 t-18446744073709551614", 3},
    {"t", "", 0},
    {"t", "t", 0},
    {"t", "t-", 0},
    {"t", "t-9", 1},
};

#define CASES (sizeof(cases) / sizeof(*cases))

/* Both are in the table, so that neither a wrong table nor a wrong find_plainly() goes unseen. */
static void the_table_is_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct found found;

        find_plainly(cases[i].prefix, cases[i].text, strlen(cases[i].text), &found);
        assert_int_equal(found.count, cases[i].count);
    }
}

static void feed(struct scanner *scanner, const char *text, size_t from, size_t to, struct found *found)
{
    /* A copy of its own: reading past the piece's end is then an error that sanitizers see. */
    char piece[256];

    assert_true(to - from <= sizeof(piece));
    memcpy(piece, text + from, to - from);
    scanner_feed(scanner, piece, to - from, remember, found);
}

static void whole_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        struct scanner scanner;
        struct found found = {0}, expected;
        size_t size = strlen(cases[i].text);

        find_plainly(cases[i].prefix, cases[i].text, size, &expected);
        scanner_init(&scanner, cases[i].prefix);
        feed(&scanner, cases[i].text, 0, size, &found);
        scanner_finish(&scanner, remember, &found);
        assert_same(&found, &expected);
    }
}

static void three_pieces_cut_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        size_t size = strlen(cases[i].text);
        struct found expected;

        find_plainly(cases[i].prefix, cases[i].text, size, &expected);
        for (size_t first = 0; first <= size; first++) {
            for (size_t second = first; second <= size; second++) {
                struct scanner scanner;
                struct found found = {0};

                scanner_init(&scanner, cases[i].prefix);
                feed(&scanner, cases[i].text, 0, first, &found);
                feed(&scanner, cases[i].text, first, second, &found);
                feed(&scanner, cases[i].text, second, size, &found);
                scanner_finish(&scanner, remember, &found);
                assert_same(&found, &expected);
            }
        }
    }
}

static void pieces_of_each_size(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        size_t size = strlen(cases[i].text);
        struct found expected;

        find_plainly(cases[i].prefix, cases[i].text, size, &expected);
        for (size_t step = 1; step <= size; step++) {
            struct scanner scanner;
            struct found found = {0};

            scanner_init(&scanner, cases[i].prefix);
            for (size_t at = 0; at < size; at += step)
                feed(&scanner, cases[i].text, at, at + step < size ? at + step : size, &found);
            scanner_finish(&scanner, remember, &found);
            assert_same(&found, &expected);
        }
    }
}

/* Every text of a small alphabet, so that every way of falling back into the prefix comes up. */
static void every_short_text(void **state)
{
    static const char alphabet[] = "ab-1";
    static const char *const prefixes[] = {"a", "aa", "ab", "aab", "aba", "a-a", "a-", "-", "1", "1-1"};
    enum { SIZE = 8 };

    (void)state;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        for (unsigned number = 0; number < 1U << (2 * SIZE); number++) {
            struct scanner whole, halves;
            struct found in_whole = {0}, in_halves = {0}, expected;
            char text[SIZE];

            for (unsigned j = 0; j < SIZE; j++)
                text[j] = alphabet[number >> (2 * j) & 3];
            find_plainly(prefixes[i], text, SIZE, &expected);
            scanner_init(&whole, prefixes[i]);
            scanner_feed(&whole, text, SIZE, remember, &in_whole);
            scanner_finish(&whole, remember, &in_whole);
            assert_same(&in_whole, &expected);
            scanner_init(&halves, prefixes[i]);
            scanner_feed(&halves, text, SIZE / 2, remember, &in_halves);
            scanner_feed(&halves, text + SIZE / 2, SIZE / 2, remember, &in_halves);
            scanner_finish(&halves, remember, &in_halves);
            assert_same(&in_halves, &expected);
        }
    }
}

static void digits_may_go_on_in_the_next_piece(void **state)
{
    struct scanner scanner;
    struct found found = {0};

    (void)state;
    scanner_init(&scanner, "t");
    scanner_feed(&scanner, "t-47", 4, remember, &found);
    assert_int_equal(found.count, 0);
    scanner_feed(&scanner, "11", 2, remember, &found);
    assert_int_equal(found.count, 0);
    scanner_feed(&scanner, "\"", 1, remember, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.seqs[0] == 4711);
}

static void a_finished_stream_leaves_nothing_behind(void **state)
{
    struct scanner scanner;
    struct found found = {0};

    (void)state;
    scanner_init(&scanner, "tag");
    scanner_feed(&scanner, "tag-1", 5, remember, &found);
    scanner_finish(&scanner, remember, &found);
    scanner_feed(&scanner, "2 ta", 4, remember, &found);
    scanner_finish(&scanner, remember, &found);
    scanner_feed(&scanner, "g-3 ", 4, remember, &found);
    scanner_finish(&scanner, remember, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.seqs[0] == 1);
}

static void numbers_too_large_stay_too_large(void **state)
{
    static const char text[] =
        "t-18446744073709551615 t-18446744073709551616 t-99999999999999999999999999 t-5 ";
    struct scanner scanner;
    struct found found = {0};

    (void)state;
    scanner_init(&scanner, "t");
    scanner_feed(&scanner, text, sizeof(text) - 1, remember, &found);
    assert_int_equal(found.count, 4);
    for (size_t i = 0; i < 3; i++)
        assert_true(found.seqs[i] == UINT64_MAX);
    assert_true(found.seqs[3] == 5);
}

static void the_longest_prefix(void **state)
{
    char prefix[TAG_MAX + 1], text[TAG_MAX + 3];
    struct scanner scanner;
    struct found found = {0};

    (void)state;
    memset(prefix, 'a', TAG_MAX);
    prefix[TAG_MAX] = '\0';
    memset(text, 'a', TAG_MAX);
    memcpy(text + TAG_MAX, "-8", 3);
    scanner_init(&scanner, prefix);
    scanner_feed(&scanner, "aaa", 3, remember, &found);
    scanner_feed(&scanner, text, TAG_MAX + 2, remember, &found);
    scanner_finish(&scanner, remember, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.seqs[0] == 8);
}

static void bytes_of_every_value(void **state)
{
    char text[256 + 4];
    struct scanner scanner;
    struct found found = {0};

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        text[i] = (char)i;
    memcpy(text + 256, "t-6\xff", 4);
    scanner_init(&scanner, "t");
    scanner_feed(&scanner, text, sizeof(text), remember, &found);
    assert_int_equal(found.count, 1);
    assert_true(found.seqs[0] == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_right),
        cmocka_unit_test(whole_texts),
        cmocka_unit_test(three_pieces_cut_anywhere),
        cmocka_unit_test(pieces_of_each_size),
        cmocka_unit_test(every_short_text),
        cmocka_unit_test(digits_may_go_on_in_the_next_piece),
        cmocka_unit_test(a_finished_stream_leaves_nothing_behind),
        cmocka_unit_test(numbers_too_large_stay_too_large),
        cmocka_unit_test(the_longest_prefix),
        cmocka_unit_test(bytes_of_every_value),
    };

    return cmocka_run_group_tests_name("scanner", tests, NULL, NULL);
}
