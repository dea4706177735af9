#define _GNU_SOURCE
#include "CLinux.h"
#include <fcntl.h>
#include <malloc.h>
#include <string.h>

void cl_keep_freed_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
}

bool cl_holds(const void *text, size_t count, const void *wanted, size_t length) {
  return memmem(text, count, wanted, length) != NULL;
}

void cl_widen_pipe(int descriptor, int bytes) { fcntl(descriptor, F_SETPIPE_SZ, bytes); }

int cl_open_linkable(const char *directory) {
#ifdef O_TMPFILE
  return open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
#else
  (void)directory;
  return -1;
#endif
}

int cl_open_unnamed(const char *directory) {
#ifdef O_TMPFILE
  return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
#else
  (void)directory;
  return -1;
#endif
}
