#include "CX11.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { RING = 512 };

typedef struct entry {
  struct entry *next;
  Display *display;
  atomic_bool dead;
  unsigned first, count;
  cx_error ring[RING];
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;
static XErrorHandler foreign_error_handler;
static XIOErrorHandler foreign_io_error_handler;

static entry *find(Display *display) {
  pthread_mutex_lock(&lock);
  entry *e = entries;
  while (e && e->display != display)
    e = e->next;
  pthread_mutex_unlock(&lock);
  return e;
}

static int on_error(Display *display, XErrorEvent *event) {
  entry *e = find(display);
  if (!e)
    return foreign_error_handler ? foreign_error_handler(display, event) : 0;
  if (e->count == RING) { // The oldest is the least likely to be waited for.
    e->first = (e->first + 1) % RING;
    e->count--;
  }
  e->ring[(e->first + e->count++) % RING] = (cx_error){
      .serial = event->serial,
      .resource = event->resourceid,
      .code = event->error_code,
      .request = event->request_code,
  };
  return 0;
}

static int on_io_error(Display *display) {
  entry *e = find(display);
  if (e)
    atomic_store(&e->dead, true);
  else if (foreign_io_error_handler)
    return foreign_io_error_handler(display);
  return 0;
}

static void on_io_error_exit(Display *display, void *data) {
  (void)display;
  atomic_store(&((entry *)data)->dead, true);
}

void cx_claim_error_handler(void) {
  XErrorHandler previous = XSetErrorHandler(on_error);
  if (previous != on_error)
    foreign_error_handler = previous;
}

Display *cx_open(const char *name) {
  XInitThreads();
  entry *e = calloc(1, sizeof *e);
  if (!e)
    return NULL;
  Display *display = XOpenDisplay(name);
  if (!display) {
    free(e);
    return NULL;
  }
  fcntl(ConnectionNumber(display), F_SETFD, FD_CLOEXEC);
  e->display = display;
  pthread_mutex_lock(&lock);
  e->next = entries;
  entries = e;
  pthread_mutex_unlock(&lock);
  cx_claim_error_handler();
  XIOErrorHandler previous = XSetIOErrorHandler(on_io_error);
  if (previous != on_io_error)
    foreign_io_error_handler = previous;
  XSetIOErrorExitHandler(display, on_io_error_exit, e);
  return display;
}

void cx_close(Display *display) {
  entry *e = find(display);
  XCloseDisplay(display);
  pthread_mutex_lock(&lock);
  for (entry **at = &entries; *at; at = &(*at)->next)
    if (*at == e) {
      *at = e->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  free(e);
}

bool cx_is_dead(Display *display) {
  entry *e = find(display);
  return !e || atomic_load(&e->dead);
}

bool cx_take_error(Display *display, cx_error *error) {
  entry *e = find(display);
  if (!e || !e->count)
    return false;
  *error = e->ring[e->first];
  e->first = (e->first + 1) % RING;
  e->count--;
  return true;
}

typedef struct {
  XID window;
  XAtomNumber property;
} property_key;

static Bool is_property_event(Display *display, XEvent *event, XPointer data) {
  (void)display;
  const property_key *key = (const property_key *)data;
  return event->type == PropertyNotify && event->xproperty.window == key->window &&
         event->xproperty.atom == key->property;
}

bool cx_take_property_event(Display *display, XID window, XAtomNumber property, XEvent *event) {
  property_key key = {window, property};
  return XCheckIfEvent(display, event, is_property_event, (XPointer)&key);
}

// The parts of <X11/extensions/XRes.h> that are needed, since the header is optional.
typedef struct {
  XID client;
  unsigned int mask;
} res_client_spec;
typedef struct {
  res_client_spec spec;
  long length;
  void *value;
} res_client_value;

int32_t cx_process_of_window(Display *display, XID window) {
  static atomic_bool tried;
  static int (*query_extension)(Display *, int *, int *);
  static int (*query_version)(Display *, int *, int *);
  static int (*query_ids)(Display *, long, res_client_spec *, long *, res_client_value **);
  static void (*destroy)(long, res_client_value *);
  pthread_mutex_lock(&lock);
  if (!atomic_load(&tried)) {
    void *library = dlopen("libXRes.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library) {
      *(void **)&query_extension = dlsym(library, "XResQueryExtension");
      *(void **)&query_version = dlsym(library, "XResQueryVersion");
      *(void **)&query_ids = dlsym(library, "XResQueryClientIds");
      *(void **)&destroy = dlsym(library, "XResClientIdsDestroy");
    }
    atomic_store(&tried, true);
  }
  pthread_mutex_unlock(&lock);
  int event_base, error_base, major = 0, minor = 0;
  if (!query_extension || !query_version || !query_ids || !destroy)
    return 0;
  if (!query_extension(display, &event_base, &error_base) || !query_version(display, &major, &minor))
    return 0;
  if (major < 1 || (major == 1 && minor < 2))
    return 0;
  const unsigned process_id_mask = 2;
  res_client_spec spec = {window, process_id_mask};
  long count = 0;
  res_client_value *values = NULL;
  if (query_ids(display, 1, &spec, &count, &values) != Success || !values)
    return 0;
  int32_t process = 0;
  for (long i = 0; i < count; i++)
    if ((values[i].spec.mask & process_id_mask) && values[i].length >= 4 && values[i].value)
      process = *(int32_t *)values[i].value;
  destroy(count, values);
  return process;
}
