/* SIGTERM, SIGINT and SIGHUP ask a monitor to stop; they come in between two batches, through a file
 * descriptor. */
#ifndef FLOOR_STOP_H
#define FLOOR_STOP_H

/* A descriptor that is readable once the program is to stop. Ends the program with a message if that can't be
 * had. */
int stop_open(void);

#endif
