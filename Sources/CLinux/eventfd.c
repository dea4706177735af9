#include "CLinux.h"
#include <sys/eventfd.h>

int cl_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
