#include "schedule.h"

const char *const state_names[STATES] = {"off", "on", "counted"};

const enum state round_phases[ROUND_PHASES] = {OFF, ON, COUNTED, COUNTED, ON, OFF};
