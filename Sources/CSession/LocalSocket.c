#include "LocalSocket.h"

#include <sys/eventfd.h>
#include <sys/socket.h>

int winch_local_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int winch_local_accept(int listener) { return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int winch_local_peer(int socket, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return -1;
    *user = peer.uid;
    return 0;
}

int winch_local_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
