#ifndef WINCH_NATS_H
#define WINCH_NATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libnats, as far as a fleet needs it: a connection that publishes and subscribes. JetStream is spoken over it in JSON.

typedef struct __natsConnection winch_nats_connection;
typedef struct __natsSubscription winch_nats_subscription;
typedef struct __natsMsg winch_nats_message;

/// Texts that are NULL are not set.
struct winch_nats_settings {
    /// One URL, or several separated by commas.
    const char *servers;
    const char *name;
    const char *token;
    /// A file with a user's JWT and seed.
    const char *credentials;
    /// PEM files.
    const char *authorities, *certificate, *key;
    bool tls;
};

enum winch_nats_event {
    WINCH_NATS_LOST,
    WINCH_NATS_BACK,
    /// The last event of a connection.
    WINCH_NATS_CLOSED,
    /// The server refuses something; the text says what.
    WINCH_NATS_FAULT,
};

/// How a call failed; the same numbers as natsStatus.
enum winch_nats_status {
    WINCH_NATS_OK = 0,
    WINCH_NATS_NO_SERVER = 6,
    WINCH_NATS_TLS_UNAVAILABLE = 8,
    WINCH_NATS_TLS_REQUIRED = 9,
    WINCH_NATS_LOGIN_REFUSED = 11,
    WINCH_NATS_TLS_FAULT = 29,
};

typedef void (*winch_nats_on_event)(enum winch_nats_event event, const char *text, void *context);
/// The message belongs to the caller and is valid until the return.
typedef void (*winch_nats_on_message)(winch_nats_message *message, void *context);
/// No more calls follow for this context.
typedef void (*winch_nats_on_end)(void *context);

/// Connects, and connects again for ever when the connection is lost. Stores 0 and a connection, or the status and the reason
/// in `error`. The callbacks are made on threads of libnats.
int winch_nats_connect(
    winch_nats_connection **connection, const struct winch_nats_settings *settings, winch_nats_on_event on_event,
    void *context, char *error, size_t size);
/// Sends what is buffered and ends; `WINCH_NATS_CLOSED` follows. The connection must not be used again.
void winch_nats_close(winch_nats_connection *connection);
/// Publishes; what cannot be sent now is buffered. Headers are `count` pairs of name and value.
int winch_nats_publish(
    winch_nats_connection *connection, const char *subject, const char *reply, const char *const *headers,
    size_t count, const void *body, size_t length);
/// Waits until the server has all that was published, or for `wait` milliseconds.
int winch_nats_flush(winch_nats_connection *connection, int64_t wait);
int64_t winch_nats_largest_body(winch_nats_connection *connection);
int winch_nats_subscribe(
    winch_nats_subscription **subscription, winch_nats_connection *connection, const char *subject,
    winch_nats_on_message on_message, winch_nats_on_end on_end, void *context);
/// The subscription must not be used again.
void winch_nats_unsubscribe(winch_nats_subscription *subscription);

const char *winch_nats_subject(winch_nats_message *message);
/// NULL: none.
const char *winch_nats_reply(winch_nats_message *message);
const char *winch_nats_body(winch_nats_message *message, size_t *length);
/// NULL: the message has no such header.
const char *winch_nats_header(winch_nats_message *message, const char *name);

#endif
