#ifndef CLINUX_H
#define CLINUX_H
// System calls whose headers the Glibc module leaves out. Each comment names that gap.

#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// <sys/eventfd.h> is not in the Glibc module. Returns a non-blocking, close-on-exec eventfd or -1.
int cl_eventfd(void);

// FICLONE is a macro of <linux/fs.h>, which the Glibc module does not import. Makes the open file
// `destination` share the blocks of `source`; -1 with errno where the file system cannot.
int cl_clone_file(int destination, int source);

// Declared only for GNU sources, which the Glibc module is not. Copies up to `length` bytes from and
// to the current offsets inside the kernel; returns the bytes copied, 0 at the end, or -1.
ssize_t cl_copy_file_range(int source, int destination, size_t length);

// <sys/vfs.h> is not in the Glibc module. 1 if `path` lies in a file system made of memory, else 0.
int cl_is_memory_file_system(const char *path);

// <sys/xattr.h> is not in the Glibc module. Reads an extended attribute of what `path` names, following symbolic
// links; returns its size in bytes or -1. See getxattr(2).
ssize_t cl_getxattr(const char *path, const char *name, void *value, size_t size);

// Swift's CommandLine reads /proc/self/cmdline, and has no arguments where /proc is not mounted or no descriptor is left.
// What main gets.
int cl_argument_count(void);
char **cl_arguments(void);

// Swift marks fork unavailable, since a program with threads may do little after it. For programs that have none yet.
pid_t cl_fork(void);

// close_range is declared only for GNU sources, which the Glibc module is not. Closes every descriptor from 3 on
// but the `count` kept ones, which are sorted.
void cl_close_all_but(const int *kept, size_t count);

// NSIG and the SIG_ macros do not import. Gives every signal its default action, unblocks all, and ignores SIGHUP
// and SIGPIPE.
void cl_reset_signals(void);

// Declared only for GNU sources, which the Glibc module is not: the spawned program gets no descriptor from `first`
// on, and starts in `directory`.
int cl_spawn_close_from(posix_spawn_file_actions_t *actions, int first);
int cl_spawn_change_directory(posix_spawn_file_actions_t *actions, const char *directory);

// <getopt.h> is not in the Glibc module, and its results are global variables, which Swift 6 does not let be read.
typedef struct {
  const char *name;
  int takes_argument; // 0 no, 1 yes, 2 as the language of getopt_long has it: optionally, after "="
  int value;
} cl_option;
enum { cl_most_options = 64 };
// Forgets an earlier scan; nothing is printed by later ones.
void cl_getopt_begin(void);
// getopt_long, or getopt_long_only where `single_dash` is not 0.
int cl_getopt_next(int argc, char *const *argv, const char *letters, const cl_option *options, int count,
                   int single_dash);
const char *cl_getopt_argument(void);
int cl_getopt_index(void);
int cl_getopt_wrong(void);

// Signal handlers run where the Swift runtime must not be entered, and Xlib calls that wait for the server cannot be
// broken off in another way. When the time is up the process removes the file set by `cl_remove_at_death`, writes the
// message to standard error and ends with the status. 0 milliseconds: no limit any more.
void cl_die_with(int status, const char *message);
void cl_die_after(long milliseconds);
// Where the message goes: 2 unless standard error is diverted.
void cl_die_on(int descriptor);
// A file to remove when SIGINT, SIGTERM, SIGHUP, SIGQUIT or the time limit ends the process; NULL for none.
void cl_remove_at_death(const char *path);

// mallopt's parameters are macros of <malloc.h>, which is not in the Glibc module. Keeps up to `bytes` of freed memory
// for the next allocation instead of giving it back to the system each time.
void cl_keep_freed_memory(int bytes);

// memmem(3) is for GNU sources only. Whether `count` bytes of `text` hold the `length` bytes of `wanted` somewhere.
bool cl_holds(const void *text, size_t count, const void *wanted, size_t length);

// F_SETPIPE_SZ is a macro for GNU sources. Lets a pipe hold so many bytes, where the system allows that.
void cl_widen_pipe(int descriptor, int bytes);

// O_TMPFILE is a macro for GNU sources. Opens a file without a name in a directory; -1 where that cannot be.
int cl_open_unnamed(const char *directory);

// The same for writing, and for a file that gets a name later (linkat(2)), with the mode that a new file has.
int cl_open_linkable(const char *directory);

// A signal handler may not enter the Swift runtime. After this SIGTERM and SIGINT are only noted, and ring the eventfd; a
// second one ends the process.
void cl_heed_end_signals(int eventfd);

// The signal that was noted; 0 for none.
int cl_end_signal(void);

// Ends the process by a signal, as if nothing had caught it.
void cl_end_by_signal(int number);

#endif
