/* SIGTERM, SIGINT and SIGHUP ask a monitor to stop; it hears of them between two batches. */
#ifndef FLOOR_STOP_H
#define FLOOR_STOP_H

/* A descriptor that is readable once the program is to stop. Ends the program with a message on failure. */
int stop_open(void);

#endif
