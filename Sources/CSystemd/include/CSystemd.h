#ifndef CSYSTEMD_H
#define CSYSTEMD_H

/// Hears from the system's login manager (org.freedesktop.login1) over libsystemd's sd-bus. The library is loaded when
/// it is first needed: most sessions never ask, and a machine without it has no login manager either.
typedef struct cs_login cs_login;

/// What was heard, as bits.
enum { CS_LOCKED = 1, CS_GOES_TO_SLEEP = 2, CS_OVER = 4 };

/// Connects to the system bus and asks it for the signals.
///
/// session: the id of the session whose lock counts (XDG_SESSION_ID), NULL for any.
/// milliseconds: how long the bus may take to answer.
/// Returns NULL where there is no library, no bus, or it says no.
cs_login *cs_login_open(const char *session, int milliseconds);

/// What to wait for until something can be read.
int cs_login_descriptor(const cs_login *login);

/// Takes in what has come, without waiting. Returns the bits of what was heard; CS_OVER when the bus is gone.
int cs_login_take(cs_login *login);

void cs_login_close(cs_login *login);

#endif
