// Calls of Linux that Swift's Glibc module leaves out. Those that give a number: -1 and errno, as the calls themselves.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Fails with EEXIST instead of replacing anything.
int winch_rename_new(int from_folder, const char *from, int to_folder, const char *to);
// A new file in the folder that has no name yet.
int winch_open_unnamed(int folder);
// Gives it one; fails with EEXIST instead of replacing anything.
int winch_name_unnamed(int file, int folder, const char *name);
// Everything of the file system that the descriptor lies on.
int winch_sync_file_system(int descriptor);
// Reserves blocks of the disk; the length of the file stays. EOPNOTSUPP where the file system cannot.
int winch_reserve(int descriptor, int64_t offset, int64_t length);
// Starts writing back without waiting for it.
int winch_start_writeback(int descriptor, int64_t offset, int64_t length);
int winch_set_attribute(int descriptor, const char *name, const void *value, size_t length);
ssize_t winch_get_attribute(int descriptor, const char *name, void *value, size_t room);
int winch_remove_attribute(int descriptor, const char *name);
// A file in memory, without a name.
int winch_open_in_memory(const char *label);
// Waits until the thread has ended, its destructors included. False: it still runs after so many milliseconds, and may be
// joined or detached later.
bool winch_join_thread(pthread_t thread, int milliseconds);
// Text of the calling thread is UTF-8, whatever the user's locale: libidn2, by which libcurl and getaddrinfo convert host names,
// takes them for text of the locale.
void winch_thread_use_utf8(void);
