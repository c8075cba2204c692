#ifndef WINCH_PROGRAM_START_H
#define WINCH_PROGRAM_START_H

// <spawn.h> is not included here: its types would belong to this module, and not to Glibc, for the files that import only Glibc.

/// Makes a program that is started inherit no descriptor from this number on. 0, or an error number.
///
/// @param actions a posix_spawn_file_actions_t.
int winch_spawn_close_from(void *actions, int first);

#endif
