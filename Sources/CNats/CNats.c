#include "CNats.h"

#include <nats/nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(
    (int)WINCH_NATS_OK == (int)NATS_OK && (int)WINCH_NATS_NO_SERVER == (int)NATS_NO_SERVER
        && (int)WINCH_NATS_TLS_UNAVAILABLE == (int)NATS_SECURE_CONNECTION_WANTED
        && (int)WINCH_NATS_TLS_REQUIRED == (int)NATS_SECURE_CONNECTION_REQUIRED
        && (int)WINCH_NATS_LOGIN_REFUSED == (int)NATS_CONNECTION_AUTH_FAILED
        && (int)WINCH_NATS_TLS_FAULT == (int)NATS_SSL_ERROR,
    "the numbers of libnats");

/// Fits the options' callbacks, which have one context for all.
struct events {
    winch_nats_on_event on_event;
    void *context;
};

static void lost(natsConnection *connection, void *events) {
    (void)connection;
    struct events *to = events;
    to->on_event(WINCH_NATS_LOST, "", to->context);
}

static void back(natsConnection *connection, void *events) {
    (void)connection;
    struct events *to = events;
    to->on_event(WINCH_NATS_BACK, "", to->context);
}

static void closed(natsConnection *connection, void *events) {
    const char *text = NULL;
    struct events *to = events;
    natsConnection_GetLastError(connection, &text);
    to->on_event(WINCH_NATS_CLOSED, text ? text : "", to->context);
    free(to);
}

static void fault(natsConnection *connection, natsSubscription *subscription, natsStatus status, void *events) {
    (void)subscription;
    const char *text = NULL;
    struct events *to = events;
    natsConnection_GetLastError(connection, &text);
    to->on_event(WINCH_NATS_FAULT, text && *text ? text : natsStatus_GetText(status), to->context);
}

/// `servers` is changed.
static natsStatus set_servers(natsOptions *options, char *servers) {
    const char *list[32];
    int count = 0;
    for (char *rest = servers, *one; count < 32 && (one = strsep(&rest, ","));) {
        if (*one) list[count++] = one;
    }
    return natsOptions_SetServers(options, list, count);
}

static natsStatus set(natsOptions *options, const struct winch_nats_settings *settings, struct events *events) {
    char *servers = strdup(settings->servers);
    natsStatus s = servers ? set_servers(options, servers) : NATS_NO_MEMORY;
    free(servers);
    if (s == NATS_OK) s = natsOptions_SetName(options, settings->name);
    if (s == NATS_OK && settings->token) s = natsOptions_SetToken(options, settings->token);
    if (s == NATS_OK && settings->credentials)
        s = natsOptions_SetUserCredentialsFromFiles(options, settings->credentials, NULL);
    if (s == NATS_OK && settings->tls) s = natsOptions_SetSecure(options, true);
    if (s == NATS_OK && settings->authorities)
        s = natsOptions_LoadCATrustedCertificates(options, settings->authorities);
    if (s == NATS_OK && settings->certificate)
        s = natsOptions_LoadCertificatesChain(
            options, settings->certificate, settings->key ? settings->key : settings->certificate);
    if (s == NATS_OK) s = natsOptions_SetMaxReconnect(options, -1);
    if (s == NATS_OK) s = natsOptions_SetReconnectWait(options, 250);
    if (s == NATS_OK) s = natsOptions_SetReconnectJitter(options, 250, 250);
    if (s == NATS_OK) s = natsOptions_SetTimeout(options, 5000);
    if (s == NATS_OK) s = natsOptions_SetPingInterval(options, 5000);
    if (s == NATS_OK) s = natsOptions_SetReconnectBufSize(options, 32 << 20);
    if (s == NATS_OK) s = natsOptions_SetDisconnectedCB(options, lost, events);
    if (s == NATS_OK) s = natsOptions_SetReconnectedCB(options, back, events);
    if (s == NATS_OK) s = natsOptions_SetClosedCB(options, closed, events);
    if (s == NATS_OK) s = natsOptions_SetErrorHandler(options, fault, events);
    return s;
}

int winch_nats_connect(
    winch_nats_connection **connection, const struct winch_nats_settings *settings, winch_nats_on_event on_event,
    void *context, char *error, size_t size) {
    natsOptions *options = NULL;
    struct events *events = malloc(sizeof *events);
    if (!events) return NATS_NO_MEMORY;
    *events = (struct events){on_event, context};
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) status = set(options, settings, events);
    if (status == NATS_OK) status = natsConnection_Connect(connection, options);
    if (status != NATS_OK) {
        const char *reason = nats_GetLastError(NULL);
        snprintf(error, size, "%s", reason && *reason ? reason : natsStatus_GetText(status));
        free(events);
    }
    natsOptions_Destroy(options);
    return (int)status;
}

void winch_nats_close(winch_nats_connection *connection) { natsConnection_Destroy(connection); }

int winch_nats_publish(
    winch_nats_connection *connection, const char *subject, const char *reply, const char *const *headers,
    size_t count, const void *body, size_t length) {
    natsMsg *message = NULL;
    natsStatus status = natsMsg_Create(&message, subject, reply, body, (int)length);
    for (size_t index = 0; status == NATS_OK && index < count; index++) {
        status = natsMsgHeader_Set(message, headers[2 * index], headers[2 * index + 1]);
    }
    if (status == NATS_OK) status = natsConnection_PublishMsg(connection, message);
    natsMsg_Destroy(message);
    return (int)status;
}

int winch_nats_flush(winch_nats_connection *connection, int64_t wait) {
    return (int)natsConnection_FlushTimeout(connection, wait);
}

int64_t winch_nats_largest_body(winch_nats_connection *connection) {
    return natsConnection_GetMaxPayload(connection);
}

/// A subscription's callbacks and their context.
struct receiver {
    winch_nats_on_message on_message;
    winch_nats_on_end on_end;
    void *context;
};

static void receive(natsConnection *connection, natsSubscription *subscription, natsMsg *message, void *receiver) {
    (void)connection, (void)subscription;
    struct receiver *to = receiver;
    to->on_message(message, to->context);
    natsMsg_Destroy(message);
}

static void end(void *receiver) {
    struct receiver *to = receiver;
    to->on_end(to->context);
    free(to);
}

int winch_nats_subscribe(
    winch_nats_subscription **subscription, winch_nats_connection *connection, const char *subject,
    winch_nats_on_message on_message, winch_nats_on_end on_end, void *context) {
    struct receiver *receiver = malloc(sizeof *receiver);
    if (!receiver) return NATS_NO_MEMORY;
    *receiver = (struct receiver){on_message, on_end, context};
    natsStatus status = natsConnection_Subscribe(subscription, connection, subject, receive, receiver);
    if (status != NATS_OK) {
        free(receiver);
        return (int)status;
    }
    // A message that is dropped here would be lost, or late by the time after which the server sends it again.
    natsSubscription_SetPendingLimits(*subscription, -1, -1);
    return (int)natsSubscription_SetOnCompleteCB(*subscription, end, receiver);
}

void winch_nats_unsubscribe(winch_nats_subscription *subscription) { natsSubscription_Destroy(subscription); }

const char *winch_nats_subject(winch_nats_message *message) { return natsMsg_GetSubject(message); }

const char *winch_nats_reply(winch_nats_message *message) { return natsMsg_GetReply(message); }

const char *winch_nats_body(winch_nats_message *message, size_t *length) {
    int count = natsMsg_GetDataLength(message);
    *length = count > 0 ? (size_t)count : 0;
    return natsMsg_GetData(message);
}

const char *winch_nats_header(winch_nats_message *message, const char *name) {
    const char *value = NULL;
    return natsMsgHeader_Get(message, name, &value) == NATS_OK ? value : NULL;
}
