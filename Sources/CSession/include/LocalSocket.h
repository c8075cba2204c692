#ifndef WINCH_LOCAL_SOCKET_H
#define WINCH_LOCAL_SOCKET_H

#include <sys/types.h>

// Calls for local sockets that Swift's Glibc module lacks. Descriptors do not block, and are closed in programs that are started.

/// A Unix stream socket, or -1 with errno.
int winch_local_socket(void);
/// The next client, or -1 with errno.
int winch_local_accept(int listener);
/// Stores the user of the process at the other end. 0, or -1 with errno.
int winch_local_peer(int socket, uid_t *user);
/// A counter to be read and written, for waking a thread (eventfd), or -1 with errno.
int winch_local_event(void);

#endif
