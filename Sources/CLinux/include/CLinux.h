#ifndef CLINUX_H
#define CLINUX_H
// System calls whose headers the Glibc module leaves out. Each comment names that gap.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// <sys/eventfd.h> is not in the Glibc module. Returns a non-blocking, close-on-exec eventfd or -1.
int cl_eventfd(void);

#endif
