#define _GNU_SOURCE
#include "CSystemd.h"
#include <dlfcn.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* libsystemd's own types; its headers are not needed to build this. */
typedef struct sd_bus sd_bus;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_message sd_bus_message;
typedef int handler(sd_bus_message *, void *, void *error);

static struct {
  void *library;
  int (*open_system)(sd_bus **);
  void (*close)(sd_bus *);
  sd_bus *(*unref)(sd_bus *);
  int (*get_fd)(sd_bus *);
  int (*get_events)(sd_bus *);
  int (*process)(sd_bus *, sd_bus_message **);
  int (*match_async)(sd_bus *, sd_bus_slot **, const char *, const char *, const char *, const char *, handler *,
                     handler *, void *);
  int (*path_encode)(const char *, const char *, char **);
  const char *(*path)(sd_bus_message *);
  int (*read_basic)(sd_bus_message *, char, void *);
  int (*enter)(sd_bus_message *, char, const char *);
  int (*leave)(sd_bus_message *);
  int (*skip)(sd_bus_message *, const char *);
} sd;

static int load(void) {
  if (sd.library) return 1;
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  const struct { const char *name; void *where; } symbols[] = {
      {"sd_bus_open_system", &sd.open_system},
      {"sd_bus_close", &sd.close},
      {"sd_bus_unref", &sd.unref},
      {"sd_bus_get_fd", &sd.get_fd},
      {"sd_bus_get_events", &sd.get_events},
      {"sd_bus_process", &sd.process},
      {"sd_bus_match_signal_async", &sd.match_async},
      {"sd_bus_path_encode", &sd.path_encode},
      {"sd_bus_message_get_path", &sd.path},
      {"sd_bus_message_read_basic", &sd.read_basic},
      {"sd_bus_message_enter_container", &sd.enter},
      {"sd_bus_message_exit_container", &sd.leave},
      {"sd_bus_message_skip", &sd.skip},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    void *symbol = dlsym(library, symbols[index].name);
    if (!symbol) {
      dlclose(library);
      return 0;
    }
    memcpy(symbols[index].where, &symbol, sizeof symbol);
  }
  sd.library = library;
  return 1;
}

struct cs_login {
  sd_bus *bus;
  char *session;
  int heard;
  int agreed;
};

static int is_ours(const cs_login *login, sd_bus_message *message) {
  const char *path = sd.path(message);
  return !login->session || (path && !strcmp(path, login->session));
}

static int on_sleep(sd_bus_message *message, void *data, void *error) {
  (void)error;
  cs_login *login = data;
  int begins = 0;
  if (sd.read_basic(message, 'b', &begins) > 0 && begins) login->heard |= CS_GOES_TO_SLEEP;
  return 0;
}

static int on_lock(sd_bus_message *message, void *data, void *error) {
  (void)error;
  cs_login *login = data;
  if (is_ours(login, message)) login->heard |= CS_LOCKED;
  return 0;
}

/* PropertiesChanged(s interface, a{sv} changed, as invalidated) */
static int on_properties(sd_bus_message *message, void *data, void *error) {
  (void)error;
  cs_login *login = data;
  const char *text = NULL;
  if (!is_ours(login, message)) return 0;
  if (sd.read_basic(message, 's', &text) <= 0 || strcmp(text, "org.freedesktop.login1.Session")) return 0;
  if (sd.enter(message, 'a', "{sv}") <= 0) return 0;
  while (sd.enter(message, 'e', "sv") > 0) {
    if (sd.read_basic(message, 's', &text) <= 0) return 0;
    if (!strcmp(text, "LockedHint")) {
      int is_locked = 0;
      if (sd.enter(message, 'v', "b") > 0 && sd.read_basic(message, 'b', &is_locked) > 0 && is_locked)
        login->heard |= CS_LOCKED;
      return 0;
    }
    if (sd.skip(message, "v") < 0 || sd.leave(message) < 0) return 0;
  }
  return 0;
}

static int on_agreed(sd_bus_message *message, void *data, void *error) {
  (void)message;
  (void)error;
  ((cs_login *)data)->agreed++;
  return 0;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int cs_login_take(cs_login *login) {
  int result;
  do {
    result = sd.process(login->bus, NULL);
  } while (result > 0);
  int heard = login->heard | (result < 0 ? CS_OVER : 0);
  login->heard = 0;
  return heard;
}

cs_login *cs_login_open(const char *session, int milliseconds) {
  if (!load()) return NULL;
  cs_login *login = calloc(1, sizeof *login);
  if (!login) return NULL;
  if (session && sd.path_encode("/org/freedesktop/login1/session", session, &login->session) < 0) goto failed;
  if (sd.open_system(&login->bus) < 0) goto failed;
  static const char sender[] = "org.freedesktop.login1", manager[] = "org.freedesktop.login1.Manager",
                    of_session[] = "org.freedesktop.login1.Session", properties[] = "org.freedesktop.DBus.Properties";
  if (sd.match_async(login->bus, NULL, sender, NULL, manager, "PrepareForSleep", on_sleep, on_agreed, login) < 0 ||
      sd.match_async(login->bus, NULL, sender, NULL, of_session, "Lock", on_lock, on_agreed, login) < 0 ||
      sd.match_async(login->bus, NULL, sender, NULL, properties, "PropertiesChanged", on_properties, on_agreed,
                     login) < 0)
    goto failed;
  int64_t deadline = now() + milliseconds;
  for (;;) {
    int heard = cs_login_take(login);
    if (heard & CS_OVER) goto failed;
    login->heard |= heard;
    if (login->agreed == 3) return login;
    int64_t left = deadline - now();
    struct pollfd wait = {.fd = sd.get_fd(login->bus), .events = (short)sd.get_events(login->bus)};
    if (left <= 0 || poll(&wait, 1, (int)left) == 0) goto failed;
  }
failed:
  cs_login_close(login);
  return NULL;
}

int cs_login_descriptor(const cs_login *login) { return sd.get_fd(login->bus); }

void cs_login_close(cs_login *login) {
  if (login->bus) {
    /* Without a flush, which would wait for a bus that never answers. */
    sd.close(login->bus);
    sd.unref(login->bus);
  }
  free(login->session);
  free(login);
}
