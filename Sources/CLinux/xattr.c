#include "CLinux.h"
#include <sys/xattr.h>

ssize_t cl_getxattr(const char *path, const char *name, void *value, size_t size) {
  return getxattr(path, name, value, size);
}
