#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t received;
static volatile sig_atomic_t doorbell = -1;

static void on_signal(int number) {
  int saved = errno;
  if (received) { // Who asks twice does not want to wait.
    signal(number, SIG_DFL);
    raise(number);
  }
  received = number;
  uint64_t one = 1;
  if (write((int)doorbell, &one, sizeof one) < 0) {
    // The eventfd is full: it will wake whoever waits all the same.
  }
  errno = saved;
}

void cl_heed_end_signals(int eventfd) {
  doorbell = eventfd;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
}

int cl_end_signal(void) { return (int)received; }

void cl_end_by_signal(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
}
