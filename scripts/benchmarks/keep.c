// A program that copies and goes away, to measure clipboard managers by.
//
//   keep save SECONDS SIZE...   owns CLIPBOARD with a target of each size, asks for SAVE_TARGETS, and serves until the
//                               answer; prints "kept MS", "refused MS" or "silent"
//   keep die SECONDS            copies a text in a process that is killed 2 s later; prints "back MS" once another
//                               client offers the same text, or "lost"
//   keep count SECONDS          copies text, HTML and a picture; prints how many requests came, and which
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/extensions/Xfixes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 16, chunk = 256 << 10, sent = 256 };

static Display *d;
static Window window;
static Atom clipboard, manager, targets, save, incr, stamp;
static Atom names[most];
static unsigned char *bytes[most];
static long sizes[most];
static int count;
static struct { Window window; Atom property; int index; long offset; } transfers[sent];
static char log_text[1 << 16];
static int requests;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int ignore(Display *display, XErrorEvent *error) {
  (void)display;
  (void)error;
  return 0;
}

static void offer(const char *name, long size, int seed) {
  names[count] = XInternAtom(d, name, False);
  sizes[count] = size;
  bytes[count] = malloc(size ? size : 1);
  for (long i = 0; i < size; i++) bytes[count][i] = 'a' + (i % 23 + seed) % 26;
  count++;
}

static Time server_time(void) {
  XEvent e;
  XChangeProperty(d, window, stamp, XA_INTEGER, 32, PropModeAppend, NULL, 0);
  do XWindowEvent(d, window, PropertyChangeMask, &e);
  while (e.xproperty.atom != stamp);
  return e.xproperty.time;
}

static void open_display(void) {
  d = XOpenDisplay(NULL);
  if (!d) exit(2);
  XSetErrorHandler(ignore);
  window = XCreateSimpleWindow(d, DefaultRootWindow(d), 0, 0, 1, 1, 0, 0, 0);
  XSelectInput(d, window, PropertyChangeMask);
  clipboard = XInternAtom(d, "CLIPBOARD", False);
  manager = XInternAtom(d, "CLIPBOARD_MANAGER", False);
  targets = XInternAtom(d, "TARGETS", False);
  save = XInternAtom(d, "SAVE_TARGETS", False);
  incr = XInternAtom(d, "INCR", False);
  stamp = XInternAtom(d, "KEEP_STAMP", False);
}

static Time own(void) {
  Time time = server_time();
  XSetSelectionOwner(d, clipboard, window, time);
  XSync(d, False);
  if (XGetSelectionOwner(d, clipboard) != window) exit(3);
  return time;
}

// Answers one target on one property; false where it is not on offer.
static int answer(Window requestor, Atom target, Atom property) {
  requests++;
  char *name = XGetAtomName(d, target);
  if (name && strlen(log_text) + strlen(name) + 2 < sizeof log_text) strcat(strcat(log_text, " "), name);
  XFree(name);
  if (target == targets) {
    Atom all[most + 2] = {targets, save};
    memcpy(all + 2, names, count * sizeof(Atom));
    XChangeProperty(d, requestor, property, XA_ATOM, 32, PropModeReplace, (unsigned char *)all, count + 2);
    return 1;
  }
  for (int i = 0; i < count; i++) {
    if (names[i] != target) continue;
    if (sizes[i] <= chunk) {
      XChangeProperty(d, requestor, property, target, 8, PropModeReplace, bytes[i], sizes[i]);
      return 1;
    }
    for (int t = 0; t < sent; t++) {
      if (transfers[t].window) continue;
      transfers[t].window = requestor;
      transfers[t].property = property;
      transfers[t].index = i;
      transfers[t].offset = 0;
      XSelectInput(d, requestor, PropertyChangeMask);
      XChangeProperty(d, requestor, property, incr, 32, PropModeReplace, (unsigned char *)&sizes[i], 1);
      return 1;
    }
  }
  return 0;
}

static void request(XSelectionRequestEvent *r) {
  XEvent e = {0};
  Atom property = r->property ? r->property : r->target;
  if (r->target == XInternAtom(d, "MULTIPLE", False)) {
    Atom type;
    int format;
    unsigned long items = 0, after;
    Atom *pairs = NULL;
    XGetWindowProperty(d, r->requestor, property, 0, 1024, False, AnyPropertyType, &type, &format, &items, &after,
                       (unsigned char **)&pairs);
    for (unsigned long i = 0; i + 1 < items; i += 2)
      if (!answer(r->requestor, pairs[i], pairs[i + 1])) pairs[i + 1] = None;
    if (pairs)
      XChangeProperty(d, r->requestor, property, type, 32, PropModeReplace, (unsigned char *)pairs, items);
    XFree(pairs);
  } else if (!answer(r->requestor, r->target, property)) {
    property = None;
  }
  e.xselection.type = SelectionNotify;
  e.xselection.requestor = r->requestor;
  e.xselection.selection = r->selection;
  e.xselection.target = r->target;
  e.xselection.property = property;
  e.xselection.time = r->time;
  XSendEvent(d, r->requestor, False, 0, &e);
}

static void advance(XPropertyEvent *p) {
  if (p->state != PropertyDelete) return;
  for (int t = 0; t < sent; t++) {
    if (transfers[t].window != p->window || transfers[t].property != p->atom) continue;
    int i = transfers[t].index;
    long left = sizes[i] - transfers[t].offset;
    long size = left < chunk ? left : chunk;
    XChangeProperty(d, p->window, p->atom, names[i], 8, PropModeReplace, bytes[i] + transfers[t].offset, size);
    transfers[t].offset += size;
    if (!size) transfers[t].window = None;
  }
}

// Serves until the answer to SAVE_TARGETS, or the time; returns that event's type, or 0.
static int serve(double until, XEvent *e) {
  while (now() < until) {
    while (XPending(d)) {
      XNextEvent(d, e);
      if (e->type == SelectionRequest) request(&e->xselectionrequest);
      if (e->type == PropertyNotify) advance(&e->xproperty);
      if (e->type == SelectionNotify && e->xselection.selection == manager) return SelectionNotify;
    }
    struct pollfd waiting = {ConnectionNumber(d), POLLIN, 0};
    poll(&waiting, 1, (int)(until - now()) + 1);
  }
  return 0;
}

static void run_save(double seconds) {
  XEvent e;
  Time time = own();
  serve(now() + 500, &e);
  double start = now();
  if (XGetSelectionOwner(d, manager) == None) {
    puts("silent");
    return;
  }
  XConvertSelection(d, manager, save, XInternAtom(d, "KEEP_SAVED", False), window, time);
  if (!serve(start + seconds * 1e3, &e)) puts("silent");
  else printf("%s %.2f\n", e.xselection.property ? "kept" : "refused", now() - start);
}

static int pasted(const unsigned char *wanted, long size) {
  Atom property = XInternAtom(d, "KEEP_PASTED", False);
  XEvent e;
  XConvertSelection(d, clipboard, XInternAtom(d, "UTF8_STRING", False), property, window, server_time());
  double until = now() + 2e3;
  while (now() < until) {
    while (XPending(d)) {
      XNextEvent(d, &e);
      if (e.type != SelectionNotify) continue;
      if (!e.xselection.property) return 0;
      Atom type;
      int format;
      unsigned long items = 0, after;
      unsigned char *data = NULL;
      XGetWindowProperty(d, window, property, 0, 1 << 20, True, AnyPropertyType, &type, &format, &items, &after, &data);
      int same = (long)items == size && memcmp(data, wanted, size) == 0;
      XFree(data);
      return same;
    }
    struct pollfd waiting = {ConnectionNumber(d), POLLIN, 0};
    poll(&waiting, 1, 100);
  }
  return 0;
}

static void run_die(double seconds) {
  int base, error;
  XEvent e;
  pid_t child = fork();
  if (child == 0) {
    open_display();
    offer("UTF8_STRING", 1000, 3);
    own();
    serve(now() + 60e3, &e);
    _exit(0);
  }
  open_display();
  XFixesQueryExtension(d, &base, &error);
  XFixesSelectSelectionInput(d, window, clipboard, XFixesSetSelectionOwnerNotifyMask);
  XSync(d, False);
  usleep(2000 * 1000);
  while (XPending(d)) XNextEvent(d, &e);
  kill(child, SIGKILL);
  double start = now();
  waitpid(child, NULL, 0);
  double back = 0;
  while (!back && now() < start + seconds * 1e3) {
    // Some managers own the selection before the program is gone.
    if (XGetSelectionOwner(d, clipboard) != None) back = now();
    else usleep(1000);
  }
  offer("UTF8_STRING", 1000, 3);
  if (back && pasted(bytes[0], sizes[0])) printf("back %.2f\n", back - start);
  else puts("lost");
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  double seconds = atof(argv[2]);
  if (!strcmp(argv[1], "die")) {
    run_die(seconds);
    return 0;
  }
  open_display();
  if (!strcmp(argv[1], "save")) {
    for (int i = 3; i < argc && count < most; i++) {
      char name[32];
      snprintf(name, sizeof name, "image/x-%d", i);
      offer(name, atol(argv[i]), i);
    }
    run_save(seconds);
    return 0;
  }
  XEvent e;
  offer("text/html", 2000, 1);
  offer("UTF8_STRING", 1000, 2);
  offer("image/png", 100000, 3);
  own();
  serve(now() + seconds * 1e3, &e);
  printf("%d%s\n", requests, log_text);
  return 0;
}
