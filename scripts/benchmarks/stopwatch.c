// Runs commands in turn, many rounds, and says how long each run took.
//
//   stopwatch ROUNDS SECONDS null|pipe COMMAND… [::: COMMAND…]…
//
// Output of the commands goes to /dev/null, or to a pipe that another process empties. A line a run on standard
// output: index of the command, wall and CPU microseconds, peak KiB, exit status (124 where SECONDS did not suffice).
// It is small and in C so that what it adds is the same little for all.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
enum { MOST_COMMANDS = 32 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static pid_t start_drain(int reading, int writing) {
  pid_t drain = fork();
  if (drain != 0)
    return drain;
  close(writing);
  static char buffer[1 << 16];
  while (read(reading, buffer, sizeof buffer) > 0)
    continue;
  _exit(0);
}

static void run(int index, char **command, double seconds, int is_pipe) {
  int ends[2] = {-1, -1};
  pid_t drain = 0;
  if (is_pipe) {
    if (pipe2(ends, O_CLOEXEC) != 0)
      exit(5);
    drain = start_drain(ends[0], ends[1]);
    close(ends[0]);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (is_pipe)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  else
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t process;
  double start = now();
  int error = posix_spawnp(&process, command[0], &actions, NULL, command, environ);
  if (error != 0) {
    fprintf(stderr, "stopwatch: %s: %s\n", command[0], strerror(error));
    exit(5);
  }
  if (is_pipe)
    close(ends[1]);
  struct pollfd ended = {.fd = (int)syscall(SYS_pidfd_open, process, 0), .events = POLLIN};
  int is_late = ended.fd >= 0 && poll(&ended, 1, (int)(seconds * 1000)) == 0;
  if (is_late)
    kill(process, SIGKILL);
  int status = 0;
  struct rusage usage;
  while (wait4(process, &status, 0, &usage) < 0 && errno == EINTR)
    continue;
  double wall = now() - start;
  if (ended.fd >= 0)
    close(ended.fd);
  if (drain > 0)
    waitpid(drain, NULL, 0);
  posix_spawn_file_actions_destroy(&actions);
  double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  int code = is_late ? 124 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  printf("%d %.0f %.0f %ld %d\n", index, wall, cpu, usage.ru_maxrss, code);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("usage: stopwatch ROUNDS SECONDS null|pipe COMMAND… [::: COMMAND…]…\n", stderr);
    return 2;
  }
  int rounds = atoi(argv[1]);
  double seconds = atof(argv[2]);
  int is_pipe = strcmp(argv[3], "pipe") == 0;
  char **commands[MOST_COMMANDS] = {argv + 4};
  int count = 1;
  for (int i = 4; i < argc; i++)
    if (strcmp(argv[i], ":::") == 0 && count < MOST_COMMANDS) {
      argv[i] = NULL;
      commands[count++] = argv + i + 1;
    }
  // Each round begins with another command, so that none always follows the same one.
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < count; i++) {
      int index = (i + round) % count;
      run(index, commands[index], seconds, is_pipe);
    }
  return 0;
}
