# Switches a listener of the process connector. Included by the top Makefile.

procevents_objects := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard src/procevents/*.c))
programs += $(BUILD)/procevents

$(BUILD)/procevents: $(procevents_objects) $(BUILD)/common.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm
