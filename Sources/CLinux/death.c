#define _GNU_SOURCE
#include "CLinux.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static char message[1024];
static size_t message_length;
static int status = 4;
static int complaints = 2;
static char path[4096];

static void remove_file(void) {
  if (path[0]) unlink(path);
}

static void on_alarm(int number) {
  (void)number;
  remove_file();
  ssize_t ignored = write(complaints, message, message_length);
  (void)ignored;
  _exit(status);
}

static void on_signal(int number) {
  remove_file();
  signal(number, SIG_DFL);
  raise(number);
}

void cl_die_with(int new_status, const char *text) {
  cl_die_after(0);
  status = new_status;
  message_length = strnlen(text, sizeof message - 1);
  memcpy(message, text, message_length);
}

void cl_die_on(int descriptor) { complaints = descriptor; }

void cl_die_after(long milliseconds) {
  static int is_installed;
  if (!is_installed && milliseconds > 0) {
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM); // It may have been inherited blocked.
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    is_installed = 1;
  }
  struct itimerval timer = {.it_value = {milliseconds / 1000, milliseconds % 1000 * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

void cl_remove_at_death(const char *new_path) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};
  sigset_t set, old;
  sigfillset(&set);
  sigprocmask(SIG_BLOCK, &set, &old);
  if (new_path && strlen(new_path) < sizeof path) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      struct sigaction present;
      if (sigaction(numbers[i], NULL, &present) != 0 || present.sa_handler == SIG_IGN) continue;
      struct sigaction action = {.sa_handler = on_signal};
      sigaction(numbers[i], &action, NULL);
    }
    strcpy(path, new_path);
  } else {
    path[0] = 0;
  }
  sigprocmask(SIG_SETMASK, &old, NULL);
}
