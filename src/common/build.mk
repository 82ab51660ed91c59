# What the programs share, as a library of which each takes what it needs, and its unit tests. Included by the top
# Makefile. Programs that link it also need -lm.

common_unit_tests := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(wildcard tests/unit/common/test_*.c))
unit_tests += $(common_unit_tests)

$(BUILD)/common.a: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/common/*.c))
	@rm -f $@
	$(AR) rcs $@ $^

$(common_unit_tests): $(BUILD)/unit/%: $(BUILD)/obj/tests/unit/%.o $(BUILD)/common.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lm
