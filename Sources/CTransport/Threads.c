#define _GNU_SOURCE
#include "Threads.h"
#include <time.h>

bool winch_join_thread(pthread_t thread, int milliseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += milliseconds / 1000;
    deadline.tv_nsec += milliseconds % 1000 * 1000000L;
    if (deadline.tv_nsec >= 1000000000L) {
        deadline.tv_nsec -= 1000000000L;
        deadline.tv_sec += 1;
    }
    return !pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline);
}
