// Internal header of this module.
#pragma once
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

// Writes all bytes, with async-signal-safe calls only. Gives up on a terminal that takes nothing after `patience`
// waits of 50 ms.
static inline void winch_write_all(int descriptor, const char *bytes, size_t count, int patience) {
    while (count > 0 && patience > 0) {
        ssize_t written = write(descriptor, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = descriptor, .events = POLLOUT}, 1, 50);
            patience--;
        } else if (errno != EINTR) {
            return;
        }
    }
}
