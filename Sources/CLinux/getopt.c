#define _GNU_SOURCE
#include "CLinux.h"
#include <getopt.h>

void cl_getopt_begin(void) {
  optind = 0; // glibc: start anew, also inside a cluster of letters
  opterr = 0;
}

int cl_getopt_next(int argc, char *const *argv, const char *letters, const cl_option *options, int count,
                   int single_dash) {
  struct option table[cl_most_options + 1] = {0};
  for (int i = 0; i < count && i < cl_most_options; i++)
    table[i] = (struct option){options[i].name, options[i].takes_argument, NULL, options[i].value};
  return single_dash ? getopt_long_only(argc, argv, letters, table, NULL)
                     : getopt_long(argc, argv, letters, table, NULL);
}

const char *cl_getopt_argument(void) { return optarg; }
int cl_getopt_index(void) { return optind; }
int cl_getopt_wrong(void) { return optopt; }
