# The log follower and its unit tests. Included by the top Makefile.

logfollow_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/logfollow/*.c))
logfollow_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/logfollow/test_*.c))
programs += $(BUILD)/logfollow
unit_tests += $(logfollow_unit_tests)

$(BUILD)/logfollow: $(logfollow_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$(logfollow_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(logfollow_objects)) $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm
