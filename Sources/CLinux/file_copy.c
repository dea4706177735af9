// glibc declares copy_file_range only for GNU sources.
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

int cl_clone_file(int destination, int source) {
#ifdef FICLONE
  return ioctl(destination, FICLONE, source);
#else
  (void)destination;
  (void)source;
  errno = EOPNOTSUPP;
  return -1;
#endif
}

ssize_t cl_copy_file_range(int source, int destination, size_t length) {
  return copy_file_range(source, NULL, destination, NULL, length, 0);
}

int cl_is_memory_file_system(const char *path) {
  struct statfs info;
  if (statfs(path, &info) != 0) return 0;
  return info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC;
}
