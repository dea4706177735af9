#include <X11/Xlibint.h>
// CX11.h gives Xlib's types other names while it includes it; here they have been declared under their own.
typedef Window XWindowNumber;
typedef Atom XAtomNumber;

#include "CX11.h"
#include <X11/XKBlib.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

// As many as one round of requests can cause: a MULTIPLE of a thousand entries on a window that is gone.
enum { RING = 4096 };

struct cx_connection {
  Display *display;
  atomic_bool dead;
  unsigned first, count;
  cx_error *ring; // Made for the first error: most connections see none, and memory that is cleared costs time.
  cx_connection *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cx_connection *connections;
static XIOErrorHandler foreign_io_error_handler;

static cx_connection *find(Display *display) {
  pthread_mutex_lock(&lock);
  cx_connection *c = connections;
  while (c && c->display != display)
    c = c->next;
  pthread_mutex_unlock(&lock);
  return c;
}

// Xlib asks it first, for this display only; False keeps the process-wide handler, whoever set it, out of it.
static Bool on_error(Display *display, XErrorEvent *event, xError *wire) {
  (void)wire;
  cx_connection *c = find(display);
  // Names are asked for in bulk, and a peer may have listed thousands of atoms that do not exist.
  if (!c || event->request_code == X_GetAtomName)
    return False;
  if (!c->ring && !(c->ring = malloc(RING * sizeof *c->ring)))
    return False;
  if (c->count == RING) { // The oldest is the least likely to be waited for.
    c->first = (c->first + 1) % RING;
    c->count--;
  }
  c->ring[(c->first + c->count++) % RING] = (cx_error){
      .serial = event->serial,
      .resource = event->resourceid,
      .code = event->error_code,
      .request = event->request_code,
  };
  return False;
}

static int on_io_error(Display *display) {
  static _Thread_local bool inside;
  cx_connection *c = find(display);
  if (c) {
    atomic_store(&c->dead, true);
  } else if (foreign_io_error_handler && !inside) { // A handler that chains back to us must not do so for ever.
    inside = true;
    foreign_io_error_handler(display);
    inside = false;
  }
  return 0;
}

static void on_io_error_exit(Display *display, void *data) {
  (void)display;
  atomic_store(&((cx_connection *)data)->dead, true);
}

void cx_claim_io_error_handler(void) {
  XIOErrorHandler previous = XSetIOErrorHandler(on_io_error);
  if (previous != on_io_error)
    foreign_io_error_handler = previous;
}

cx_connection *cx_open(const char *name, bool ignores_keyboard) {
  XInitThreads();
  cx_connection *c = calloc(1, sizeof *c);
  if (!c)
    return NULL;
  // Xlib has no other way to say this than for the whole process.
  if (ignores_keyboard)
    XkbIgnoreExtension(True);
  Display *display = XOpenDisplay(name);
  if (ignores_keyboard)
    XkbIgnoreExtension(False);
  if (!display) {
    free(c);
    return NULL;
  }
  fcntl(ConnectionNumber(display), F_SETFD, FD_CLOEXEC);
  c->display = display;
  pthread_mutex_lock(&lock);
  c->next = connections;
  connections = c;
  pthread_mutex_unlock(&lock);
  // The first call makes the list of all codes, whose other entries need no lock and no search of the display each.
  XESetWireToError(display, 1, on_error);
  LockDisplay(display);
  for (int code = 2; code < 256; code++)
    display->error_vec[code] = on_error;
  UnlockDisplay(display);
  XSetIOErrorExitHandler(display, on_io_error_exit, c);
  cx_claim_io_error_handler();
  return c;
}

void cx_close(cx_connection *c) {
  XCloseDisplay(c->display);
  pthread_mutex_lock(&lock);
  for (cx_connection **at = &connections; *at; at = &(*at)->next)
    if (*at == c) {
      *at = c->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  free(c->ring);
  free(c);
}

Display *cx_display(const cx_connection *c) { return c->display; }

bool cx_is_dead(const cx_connection *c) { return atomic_load(&c->dead); }

bool cx_take_error(cx_connection *c, cx_error *error) {
  if (!c->count)
    return false;
  *error = c->ring[c->first];
  c->first = (c->first + 1) % RING;
  c->count--;
  return true;
}

bool cx_has_error(const cx_connection *c) { return c->count > 0; }

typedef struct {
  XID window;
  XID property;
  int count;
} property_key;

static Bool is_property_event(Display *display, XEvent *event, XPointer data) {
  (void)display;
  const property_key *key = (const property_key *)data;
  return event->type == PropertyNotify && !event->xproperty.send_event &&
         event->xproperty.state == PropertyNewValue &&
         event->xproperty.window == key->window &&
         event->xproperty.atom == key->property;
}

bool cx_take_property_event(Display *display, XID window, XID property, XEvent *event) {
  property_key key = {window, property, 0};
  return XCheckIfEvent(display, event, is_property_event, (XPointer)&key);
}

static Bool count_deletion(Display *display, XEvent *event, XPointer data) {
  (void)display;
  property_key *key = (property_key *)data;
  if (event->type == PropertyNotify && !event->xproperty.send_event &&
      event->xproperty.state == PropertyDelete && event->xproperty.window == key->window &&
      event->xproperty.atom == key->property)
    key->count++;
  return False;
}

int cx_count_deletions(Display *display, XID window, XID property) {
  property_key key = {window, property, 0};
  XEvent event;
  XCheckIfEvent(display, &event, count_deletion, (XPointer)&key);
  return key.count;
}

uint32_t cx_client_mask(Display *display) {
  // The same for every client of a server; the three highest bits are none of a resource's number.
  return ~(uint32_t)display->resource_mask & 0x1FFFFFFF;
}
