#pragma once
#include <sqlite3.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot import.
static inline sqlite3_destructor_type wake_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

// sqlite3_config is variadic. Before the first connection of a process alone: how much memory SQLite uses is not counted,
// which would take a lock for every piece of it.
static inline int wake_sqlite3_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// sqlite3_db_config is variadic.
static inline int wake_sqlite3_set_no_checkpoint_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
static inline int wake_sqlite3_set_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Takes room on the disk for a file and leaves its length as it is, where the file system can: fallocate(2). The C library
// declares that for programs with its extensions alone.
static inline int wake_reserve_room(int descriptor, off_t length) {
  const int keep_size = 1;
  return (int)syscall(SYS_fallocate, descriptor, keep_size, (off_t)0, length);
}

