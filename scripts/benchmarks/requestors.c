// Many requestors at once, each a client of its own: how long until all have everything, and whether it is right.
//
//   requestors COUNT SECONDS SELECTION FILE
//
// One line on standard output: microseconds, requestors that got FILE's bytes exactly, that got something else,
// that were refused, that got nothing to the end in time; then the microseconds after which the first was done, and
// the median and the largest number of microseconds that TARGETS took while the transfers ran.

#define _GNU_SOURCE
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef enum { ASKING, READING, RIGHT, WRONG, REFUSED } state;

typedef struct {
  Display *display;
  Window window;
  state state;
  size_t offset;
} requestor;

enum { MOST_PROBES = 1 << 16 };
static Atom selection, target, incr, data, targets;
static const unsigned char *expected;
static size_t size;
static double probes[MOST_PROBES];
static int probe_count;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void take(requestor *r, int is_answer) {
  Atom type;
  int format;
  unsigned long count, after;
  unsigned char *bytes = NULL;
  XGetWindowProperty(r->display, r->window, data, 0, 1 << 24, True, AnyPropertyType, &type, &format, &count, &after,
                     &bytes);
  if (type == None)
    return;
  if (is_answer && type == incr) {
    r->state = READING;
  } else if (count > 0) {
    if (count > size - r->offset || memcmp(bytes, expected + r->offset, count) != 0)
      r->state = WRONG;
    r->offset += count;
    if (is_answer && r->state != WRONG)
      r->state = r->offset == size ? RIGHT : WRONG;
  } else if (r->state == READING) {
    r->state = r->offset == size ? RIGHT : WRONG;
  }
  if (bytes)
    XFree(bytes);
}

static void serve(requestor *r) {
  while (r->state <= READING && XPending(r->display) > 0) {
    XEvent event;
    XNextEvent(r->display, &event);
    if (event.type == SelectionNotify) {
      if (event.xselection.property == None)
        r->state = REFUSED;
      else
        take(r, 1);
    } else if (event.type == PropertyNotify && event.xproperty.state == PropertyNewValue && r->state == READING) {
      take(r, 0);
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  int count = atoi(argv[1]);
  double seconds = atof(argv[2]);
  int file = open(argv[4], O_RDONLY);
  struct stat status;
  if (count < 1 || file < 0 || fstat(file, &status) != 0)
    return 2;
  size = (size_t)status.st_size;
  expected = mmap(NULL, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
  // The last one asks for TARGETS over and over: how long it has to wait behind the others.
  requestor *all = calloc((size_t)count + 1, sizeof *all);
  struct pollfd *wait = calloc((size_t)count + 1, sizeof *wait);
  if (!all || !wait || expected == MAP_FAILED)
    return 5;
  for (int i = 0; i <= count; i++) {
    requestor *r = &all[i];
    r->display = XOpenDisplay(NULL);
    if (!r->display)
      return 3;
    if (i == 0) {
      selection = XInternAtom(r->display, argv[3], False);
      target = XInternAtom(r->display, "UTF8_STRING", False);
      incr = XInternAtom(r->display, "INCR", False);
      data = XInternAtom(r->display, "BENCH_DATA", False);
      targets = XInternAtom(r->display, "TARGETS", False);
    }
    r->window = XCreateSimpleWindow(r->display, DefaultRootWindow(r->display), 0, 0, 1, 1, 0, 0, 0);
    XSelectInput(r->display, r->window, i < count ? PropertyChangeMask : 0);
    XSync(r->display, False);
    wait[i] = (struct pollfd){.fd = ConnectionNumber(r->display), .events = POLLIN};
  }
  double start = now(), first = 0, asked = start;
  for (int i = 0; i <= count; i++) {
    XConvertSelection(all[i].display, selection, i < count ? target : targets, data, all[i].window, CurrentTime);
    XFlush(all[i].display);
  }
  int open_count = count;
  requestor *probe = &all[count];
  while (open_count > 0 && now() - start < seconds * 1e6) {
    poll(wait, (nfds_t)count + 1, 100);
    for (int i = 0; i < count; i++) {
      if (all[i].state > READING)
        continue;
      serve(&all[i]);
      if (all[i].state > READING) {
        open_count--;
        wait[i].fd = -1;
        if (!first)
          first = now() - start;
      }
    }
    while (XPending(probe->display) > 0) {
      XEvent event;
      XNextEvent(probe->display, &event);
      if (event.type != SelectionNotify)
        continue;
      if (probe_count < MOST_PROBES)
        probes[probe_count++] = now() - asked;
      asked = now();
      XConvertSelection(probe->display, selection, targets, data, probe->window, CurrentTime);
      XFlush(probe->display);
    }
  }
  double whole = now() - start;
  int of_state[5] = {0};
  for (int i = 0; i < count; i++)
    of_state[all[i].state]++;
  qsort(probes, (size_t)probe_count, sizeof *probes, by_size);
  printf("%.0f %d %d %d %d %.0f %.0f %.0f\n", whole, of_state[RIGHT], of_state[WRONG], of_state[REFUSED],
         of_state[ASKING] + of_state[READING], first, probe_count ? probes[probe_count / 2] : 0,
         probe_count ? probes[probe_count - 1] : 0);
  // What is still under way ends with this process.
  return 0;
}
