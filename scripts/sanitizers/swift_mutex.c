// Tells the thread sanitizer about Swift's Mutex.
//
// The fast path of `Synchronization.Mutex` is compiled into our code, where the sanitizer sees its atomic operations. The
// path that waits is inside libswiftSynchronization and in the kernel (a futex with priority inheritance), which it does
// not see: without this file, two threads that contend for a Mutex are reported as a race.
//
// Loaded before the others (LD_PRELOAD), these three functions take the place of the library's, call them, and say what
// they order. In a process without the sanitizer they do nothing else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"  // _MutexHandle._lockSlow(_: UInt32)
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"  // _MutexHandle._tryLockSlow() -> Bool
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"      // _MutexHandle._unlockSlow()
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

SWIFT void wake_lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool wake_try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT void wake_unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void wake_lock_slow(uint32_t thread, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  next(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool wake_try_lock_slow(SELF) {
  SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool locked = next(self);
  if (locked && __tsan_acquire) __tsan_acquire(self);
  return locked;
}

SWIFT void wake_unlock_slow(SELF) {
  SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
