# The log follower and its unit tests. Included by the top Makefile.

logfollow_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/logfollow/*.c) src/common/tag.c src/common/usage.c)
logfollow_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/logfollow/test_*.c))
programs += $(BUILD)/logfollow
unit_tests += $(logfollow_unit_tests)

$(BUILD)/logfollow: $(logfollow_objects)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(logfollow_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(logfollow_objects))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka
