// Tells the thread sanitizer of the locks of `Synchronization.Mutex`. Linked into test runners of `scripts/sanitize
// thread` only.
//
// A mutex that is free is taken and left by atomics that the compiler emits into our own code, where the sanitizer sees
// them. One that is contended goes through two functions of libswiftSynchronization, which is not instrumented: the
// sanitizer sees no order between its two holders, and reports races that the lock prevents. An executable's symbols
// come before its libraries', so these two stand in: they call the real ones and say what happened.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

SWIFT void traced_lock(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void traced_unlock(SELF mutex) __asm__(UNLOCK);

static SWIFT void (*real_lock)(uint32_t, SELF);
static SWIFT void (*real_unlock)(SELF);

__attribute__((constructor(101))) static void find_real_ones(void) {
  real_lock = (SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
  real_unlock = (SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
  if (!real_lock || !real_unlock) {
    fputs("sanitize: this toolchain's Mutex is built in another way; scripts/sanitizers/mutex.c has to follow it\n",
          stderr);
    abort();
  }
}

SWIFT void traced_lock(uint32_t thread, SELF mutex) {
  real_lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void traced_unlock(SELF mutex) {
  __tsan_release(mutex);
  real_unlock(mutex);
}
