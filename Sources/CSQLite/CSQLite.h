#ifndef CSQLITE_H
#define CSQLITE_H
// SQLite as the system has it (libsqlite3-dev).
#include <sqlite3.h>
#endif
