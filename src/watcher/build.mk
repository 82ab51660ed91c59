# The watcher. Included by the top Makefile.

watcher_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/watcher/*.c))
programs += $(BUILD)/watcher

$(BUILD)/watcher: $(watcher_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm
