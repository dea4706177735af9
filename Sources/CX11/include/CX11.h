#ifndef CX11_H
#define CX11_H
// Xlib for Swift. What is here and not in Xlib's own headers is what Swift cannot say: error handlers, which are
// process-wide C function pointers, and predicates that run inside Xlib.

// Xlib's names for plain numbers would hide the types that Swift gives them.
#define Atom XAtomNumber
#define Window XWindowNumber

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xfixes.h>
#include <stdbool.h>
#include <stdint.h>

// One error that the server reported, as plain numbers.
typedef struct {
  uint64_t serial;
  uint64_t resource;
  uint8_t code;
  uint8_t request;
} cx_error;

// A display connection with its errors.
typedef struct cx_connection cx_connection;

// Opens a display of its own, closed on exec, with errors recorded instead of fatal; NULL where that fails.
// Swift cannot write the handlers (they must not enter the Swift runtime, since Xlib calls them with locks held).
// `ignores_keyboard` leaves out two round trips for keyboards, for every thread that opens a display meanwhile.
cx_connection *cx_open(const char *name, bool ignores_keyboard);

// Closes what cx_open opened, dead or alive.
void cx_close(cx_connection *connection);

Display *cx_display(const cx_connection *connection);

// Whether the connection broke. After that only cx_close may be called.
bool cx_is_dead(const cx_connection *connection);

// Whether an error is recorded.
bool cx_has_error(const cx_connection *connection);

// Takes the oldest recorded error. False where there is none.
bool cx_take_error(cx_connection *connection, cx_error *error);

// Makes sure that the handler of broken connections, which is one for the whole process, is ours, behind which the
// one found there goes on to serve other displays (toolkits in the same process set theirs, and theirs end the
// process). Errors of requests need no such care: they are caught for each display.
void cx_claim_io_error_handler(void);

// Takes the first queued PropertyNotify for a new value of this property, leaving all other events in their places;
// what other clients made up does not count.
// (A predicate must be a C function.)
bool cx_take_property_event(Display *display, XID window, XID property, XEvent *event);

// How many PropertyNotify for a deletion of this property are queued; all events stay in their places.
int cx_count_deletions(Display *display, XID window, XID property);

// The bits of a window's number that say which client made it. (Xlib keeps them in a part of Display that it shows
// to nobody.)
uint32_t cx_client_mask(Display *display);

// Process id of the client behind a window, by the X-Resource extension; 0 where unknown. (Xlib has no function for
// it, and its macros for sending requests do not import.)
int32_t cx_process_of_window(Display *display, XID window);

#undef Atom
#undef Window
#endif
