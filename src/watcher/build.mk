# The watcher and its unit tests. Included by the top Makefile.

watcher_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/watcher/*.c) src/common/textfile.c src/common/usage.c)
watcher_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/watcher/test_*.c))
programs += $(BUILD)/watcher
unit_tests += $(watcher_unit_tests)

$(BUILD)/watcher: $(watcher_objects)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^

$(watcher_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(filter-out %/main.o,$(watcher_objects))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka
