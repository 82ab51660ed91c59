/* Files of /proc and of cgroups: opened once, read again and again. */
#ifndef EXECTAX_TEXTFILE_H
#define EXECTAX_TEXTFILE_H

#include <stdbool.h>

/* The file at FOLDER/FILE, or -1 and errno. */
int textfile_open(const char *folder, const char *file);

/* All of it from its beginning, valid until the next call; NULL and errno if it can't be read. */
const char *textfile_read(int fd);

/* Opens, reads and closes. */
const char *textfile_read_once(const char *folder, const char *file);

/* Writes text to the file at FOLDER/FILE, which has to be there, by one system call; false and errno if it
 * can't. */
bool textfile_write(const char *folder, const char *file, const char *text);

/* Whether an errno says that what the file told about is no more. */
bool textfile_is_gone(int error);

#endif
