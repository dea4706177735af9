#include "CLinux.h"

static int count;
static char **words;

// glibc passes the arguments of main to every constructor.
__attribute__((constructor)) static void keep_arguments(int argc, char **argv) {
  count = argc;
  words = argv;
}

int cl_argument_count(void) { return count; }
char **cl_arguments(void) { return words; }
