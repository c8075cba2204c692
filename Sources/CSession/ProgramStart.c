#include "ProgramStart.h"

#include <spawn.h>

int winch_spawn_close_from(void *actions, int first) { return posix_spawn_file_actions_addclosefrom_np(actions, first); }
