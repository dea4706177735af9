// How long after the start of a copy another client has pasted it.
//
//   copies ROUNDS SECONDS BYTES SELECTION COMMAND… [::: COMMAND…]…
//
// Each command copies its standard input, a file of BYTES bytes that is another one each time. A line a run on
// standard output: index, microseconds until another client had pasted the bytes, until the command returned, and
// 0, or 124 where SECONDS did not suffice.

#define _GNU_SOURCE
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
enum { MOST_COMMANDS = 32 };

static Display *display;
static Window window;
static Atom selection, utf8, data;
static int xfixes_event;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static void run(int index, char **command, char *bytes, size_t size, double seconds) {
  static unsigned number;
  snprintf(bytes, size, "%08x", number++);
  bytes[8] = '-';
  int input = memfd_create("copy", MFD_CLOEXEC);
  if (input < 0 || write(input, bytes, size) != (ssize_t)size || lseek(input, 0, SEEK_SET) != 0)
    exit(5);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  // What goes on in the background must not hold a pipe that somebody reads to its end.
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  XEvent event;
  XSync(display, True);
  pid_t process;
  double start = now(), pasted = 0, returned = 0;
  if (posix_spawnp(&process, command[0], &actions, NULL, command, environ) != 0)
    exit(5);
  struct pollfd wait[2] = {{.fd = ConnectionNumber(display), .events = POLLIN},
                           {.fd = (int)syscall(SYS_pidfd_open, process, 0), .events = POLLIN}};
  while ((!pasted || !returned) && now() - start < seconds * 1e6) {
    while (XPending(display) > 0) {
      XNextEvent(display, &event);
      if (event.type == xfixes_event && ((XFixesSelectionNotifyEvent *)&event)->owner != None) {
        XConvertSelection(display, selection, utf8, data, window, CurrentTime);
      } else if (event.type == SelectionNotify && event.xselection.property != None) {
        Atom type;
        int format;
        unsigned long count, after;
        unsigned char *got = NULL;
        XGetWindowProperty(display, window, data, 0, 1 << 20, True, AnyPropertyType, &type, &format, &count, &after,
                           &got);
        if (got && count == size && memcmp(got, bytes, size) == 0)
          pasted = now() - start;
        if (got)
          XFree(got);
      }
    }
    wait[1].fd = returned ? -1 : wait[1].fd;
    poll(wait, 2, 100);
    if (!returned && (wait[1].revents & POLLIN))
      returned = now() - start;
  }
  if (!returned)
    kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  close(wait[1].fd);
  close(input);
  posix_spawn_file_actions_destroy(&actions);
  printf("%d %.0f %.0f %d\n", index, pasted, returned, pasted && returned ? 0 : 124);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc < 6) {
    fputs("usage: copies ROUNDS SECONDS BYTES SELECTION COMMAND… [::: COMMAND…]…\n", stderr);
    return 2;
  }
  int rounds = atoi(argv[1]), count = 1, error;
  double seconds = atof(argv[2]);
  size_t size = strtoul(argv[3], NULL, 10);
  char *bytes = malloc(size + 16);
  display = XOpenDisplay(NULL);
  if (!display || !bytes || size < 16 || !XFixesQueryExtension(display, &xfixes_event, &error))
    return 3;
  xfixes_event += XFixesSelectionNotify;
  memset(bytes, 'x', size);
  selection = XInternAtom(display, argv[4], False);
  utf8 = XInternAtom(display, "UTF8_STRING", False);
  data = XInternAtom(display, "BENCH_DATA", False);
  window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XFixesSelectSelectionInput(display, window, selection, XFixesSetSelectionOwnerNotifyMask);
  char **commands[MOST_COMMANDS] = {argv + 5};
  for (int i = 5; i < argc; i++)
    if (strcmp(argv[i], ":::") == 0 && count < MOST_COMMANDS) {
      argv[i] = NULL;
      commands[count++] = argv + i + 1;
    }
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < count; i++) {
      int index = (i + round) % count;
      run(index, commands[index], bytes, size, seconds);
    }
  return 0;
}
