#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

pid_t cl_fork(void) { return fork(); }

void cl_close_all_but(const int *kept, size_t count) {
  unsigned first = 3;
  // `kept` is sorted; what lies between its members goes.
  for (size_t i = 0; i < count; i++) {
    if (kept[i] < 3)
      continue;
    if ((unsigned)kept[i] > first)
      close_range(first, (unsigned)kept[i] - 1, 0);
    first = (unsigned)kept[i] + 1;
  }
  close_range(first, ~0U, 0);
}

void cl_reset_signals(void) {
  for (int number = 1; number < NSIG; number++)
    if (number != SIGKILL && number != SIGSTOP)
      signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGHUP, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

int cl_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int cl_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *directory) {
  return posix_spawn_file_actions_addchdir_np(actions, directory);
}
