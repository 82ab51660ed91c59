/* The tag that execrate gives to each launch as its argument: PREFIX-SEQUENCE. */
#ifndef EXECTAX_TAG_H
#define EXECTAX_TAG_H

#define TAG_MAX 100

/* Returns NULL, or what was expected instead of the text. */
const char *parse_tag(const char *text);

#endif
