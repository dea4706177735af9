// The floor: what raw Xlib needs to own a selection and to paste it, and nothing else. It checks nothing that a real
// program has to check; it is what the others are measured against.
//
//   floor own SELECTION FILE [CHUNK]     serves FILE as UTF8_STRING from a detached process, in chunks of CHUNK bytes
//   floor paste SELECTION TARGET         writes the target to standard output
//   floor lose SELECTION                 ends the ownership of whoever has it

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_CHUNK = 258048, MOST_TRANSFERS = 1024 };

static Display *display;
static Atom atoms[6]; // selection, target, TARGETS, INCR, data property, TIMESTAMP
#define SELECTION atoms[0]
#define TARGET atoms[1]
#define TARGETS atoms[2]
#define INCR atoms[3]
#define DATA atoms[4]
#define TIMESTAMP atoms[5]

static int ignore_error(Display *d, XErrorEvent *event) {
  (void)d;
  (void)event;
  return 0;
}

static void open_display(const char *selection, const char *target) {
  display = XOpenDisplay(NULL);
  if (!display) {
    fputs("floor: no display\n", stderr);
    exit(3);
  }
  XSetErrorHandler(ignore_error);
  char *names[] = {(char *)selection, (char *)target, "TARGETS", "INCR", "FLOOR_DATA", "TIMESTAMP"};
  XInternAtoms(display, names, 6, False, atoms);
}

typedef struct {
  Window window;
  Atom property;
  size_t offset;
  int is_ending;
} transfer;

static transfer transfers[MOST_TRANSFERS];
static int transfer_count;
static int file;
static size_t size, chunk = DEFAULT_CHUNK;
static unsigned char *buffer;

static void answer(XSelectionRequestEvent *request) {
  XSelectionEvent reply = {.type = SelectionNotify,
                           .requestor = request->requestor,
                           .selection = request->selection,
                           .target = request->target,
                           .property = request->property,
                           .time = request->time};
  if (request->target == TARGETS) {
    Atom list[] = {TARGETS, TARGET};
    XChangeProperty(display, request->requestor, request->property, XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)list, 2);
  } else if (request->target != TARGET) {
    reply.property = None;
  } else if (size <= chunk) {
    if (pread(file, buffer, size, 0) != (ssize_t)size)
      exit(5);
    XChangeProperty(display, request->requestor, request->property, TARGET, 8, PropModeReplace, buffer, (int)size);
  } else if (transfer_count == MOST_TRANSFERS) {
    reply.property = None;
  } else {
    long announced = (long)size;
    transfers[transfer_count++] = (transfer){request->requestor, request->property, 0, 0};
    XSelectInput(display, request->requestor, PropertyChangeMask);
    XChangeProperty(display, request->requestor, request->property, INCR, 32, PropModeReplace,
                    (unsigned char *)&announced, 1);
  }
  XSendEvent(display, request->requestor, False, 0, (XEvent *)&reply);
}

static void go_on(Window window, Atom property) {
  for (int i = 0; i < transfer_count; i++) {
    transfer *t = &transfers[i];
    if (t->window != window || t->property != property)
      continue;
    if (t->is_ending) {
      *t = transfers[--transfer_count];
      return;
    }
    size_t length = size - t->offset < chunk ? size - t->offset : chunk;
    if (pread(file, buffer, length, (off_t)t->offset) != (ssize_t)length)
      exit(5);
    XChangeProperty(display, window, property, TARGET, 8, PropModeReplace, buffer, (int)length);
    t->offset += length;
    t->is_ending = length == 0;
    return;
  }
}

static int own(const char *path) {
  struct stat status;
  file = open(path, O_RDONLY);
  buffer = malloc(chunk);
  if (file < 0 || fstat(file, &status) != 0 || !buffer) {
    perror("floor");
    return 2;
  }
  size = (size_t)status.st_size;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSelectInput(display, window, PropertyChangeMask);
  XChangeProperty(display, window, DATA, XA_INTEGER, 32, PropModeAppend, NULL, 0);
  XEvent event;
  XNextEvent(display, &event);
  XSetSelectionOwner(display, SELECTION, window, event.xproperty.time);
  if (XGetSelectionOwner(display, SELECTION) != window)
    return 4;
  if (fork() != 0)
    _exit(0);
  setsid();
  int null = open("/dev/null", O_RDWR);
  for (int descriptor = 0; descriptor < 3; descriptor++)
    dup2(null, descriptor);
  int is_owner = 1;
  while (is_owner || transfer_count > 0) {
    XNextEvent(display, &event);
    if (event.type == SelectionRequest)
      answer(&event.xselectionrequest);
    else if (event.type == SelectionClear)
      is_owner = 0;
    else if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete)
      go_on(event.xproperty.window, event.xproperty.atom);
  }
  return 0;
}

static void write_all(const unsigned char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(1, bytes, count);
    if (written <= 0)
      exit(5);
    bytes += written;
    count -= (size_t)written;
  }
}

static int paste(void) {
  // Xlib allocates each reply anew: memory that goes back to the system costs more than the copying.
  mallopt(M_MMAP_THRESHOLD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSelectInput(display, window, PropertyChangeMask);
  XConvertSelection(display, SELECTION, TARGET, DATA, window, CurrentTime);
  int is_incremental = 0;
  for (;;) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == SelectionNotify && event.xselection.property == None)
      return 1;
    if (event.type != SelectionNotify && !(is_incremental && event.type == PropertyNotify &&
                                           event.xproperty.atom == DATA && event.xproperty.state == PropertyNewValue))
      continue;
    Atom type;
    int format;
    unsigned long count, after;
    unsigned char *bytes = NULL;
    XGetWindowProperty(display, window, DATA, 0, 1 << 24, True, AnyPropertyType, &type, &format, &count, &after,
                       &bytes);
    if (type == INCR) {
      is_incremental = 1;
    } else {
      write_all(bytes, count);
      if (!is_incremental || (type != None && count == 0))
        return 0;
    }
    XFree(bytes);
  }
}

int main(int argc, char **argv) {
  if (argc >= 4 && strcmp(argv[1], "own") == 0) {
    if (argc > 4)
      chunk = strtoul(argv[4], NULL, 10);
    open_display(argv[2], "UTF8_STRING");
    return own(argv[3]);
  }
  if (argc == 4 && strcmp(argv[1], "paste") == 0) {
    open_display(argv[2], argv[3]);
    return paste();
  }
  if (argc == 3 && strcmp(argv[1], "lose") == 0) {
    open_display(argv[2], "UTF8_STRING");
    XSetSelectionOwner(display, SELECTION, None, CurrentTime);
    XSync(display, False);
    return 0;
  }
  fputs("usage: floor own SELECTION FILE [CHUNK] | floor paste SELECTION TARGET | floor lose SELECTION\n", stderr);
  return 2;
}
