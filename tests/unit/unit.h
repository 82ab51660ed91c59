/* cmocka, with the headers that it wants to see first. */
#ifndef EXECTAX_UNIT_H
#define EXECTAX_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
