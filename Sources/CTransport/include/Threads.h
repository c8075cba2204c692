// Calls of glibc that Swift's Glibc module leaves out.
#pragma once
#include <pthread.h>
#include <stdbool.h>

// Waits until the thread has ended, its destructors included. False: it still runs after so many milliseconds, and may be
// joined or detached later.
bool winch_join_thread(pthread_t thread, int milliseconds);
