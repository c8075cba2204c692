// libcurl with types: its setters and getters are variadic, which Swift cannot call. No policy, no state.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct winch_easy winch_easy;
typedef struct winch_multi winch_multi;
typedef struct winch_share winch_share;
typedef struct winch_list winch_list;

typedef enum winch_text {
    WINCH_URL, WINCH_RANGE, WINCH_USER, WINCH_PASSWORD, WINCH_USER_AGENT, WINCH_REFERER, WINCH_COOKIE_FILE,
    WINCH_PROXY, WINCH_CA_FILE, WINCH_CERTIFICATE, WINCH_CERTIFICATE_KEY, WINCH_PROTOCOLS, WINCH_REDIRECT_PROTOCOLS, WINCH_KNOWN_HOSTS,
    WINCH_SSH_KEY_FILE, WINCH_KEY_PASSPHRASE, WINCH_METHOD, WINCH_SASL_IDENTITY,
    // A line of a cookie file adds a cookie, `ALL` removes all.
    WINCH_COOKIES,
    // Sent behind those, in the same header line.
    WINCH_COOKIE
} winch_text;

typedef enum winch_number {
    WINCH_NO_SIGNAL, WINCH_BUFFER_SIZE, WINCH_FOLLOW, WINCH_MAX_REDIRECTS, WINCH_AUTH,
    WINCH_UNRESTRICTED_AUTH, WINCH_NETRC, WINCH_VERIFY_PEER, WINCH_VERIFY_HOST, WINCH_CONNECT_TIMEOUT_MS,
    WINCH_TCP_NODELAY, WINCH_TCP_KEEPALIVE, WINCH_PIPE_WAIT, WINCH_NO_BODY, WINCH_GET,
    WINCH_SUPPRESS_CONNECT_HEADERS, WINCH_QUICK_EXIT, WINCH_FRESH_CONNECT, WINCH_HTTP_VERSION_WANTED, WINCH_FORBID_REUSE, WINCH_SSH_METHODS,
    WINCH_VERBOSE, WINCH_UPLOAD, WINCH_CREATE_FOLDERS, WINCH_UPLOAD_BUFFER_SIZE, WINCH_USE_TLS, WINCH_TLS_COMMAND,
    WINCH_TLS_VERSIONS, WINCH_REPLY_TIMEOUT, WINCH_PROXY_TUNNEL, WINCH_ASK_TIME, WINCH_FTP_PATHS,
    WINCH_IGNORE_SIZE
} winch_number;

// The value for WINCH_TLS_COMMAND: AUTH TLS is the only command that is tried, not AUTH SSL before it.
enum { WINCH_AUTH_TLS = 2 };

// Values for WINCH_USE_TLS, which is about FTP.
enum { WINCH_TLS_NONE = 0, WINCH_TLS_TRY = 1, WINCH_TLS_ALL = 3 };

// A value for WINCH_TLS_VERSIONS: no version above 1.2.
enum { WINCH_TLS_UP_TO_1_2 = 6 << 16 };

// Values for WINCH_FTP_PATHS: a change into each folder of the path, none and the whole path in each command, or one into all.
enum { WINCH_FTP_EACH = 1, WINCH_FTP_NONE = 2, WINCH_FTP_ONE = 3 };

// Values for WINCH_HTTP_VERSION_WANTED: what libcurl prefers, and HTTP/1.1.
enum { WINCH_HTTP_ANY = 0, WINCH_HTTP_1_1 = 2 };

// Bits for WINCH_AUTH.
enum { WINCH_AUTH_BASIC = 1, WINCH_AUTH_DIGEST = 2 };

// Bits for WINCH_SSH_METHODS: ways to log in.
enum { WINCH_SSH_KEY = 1, WINCH_SSH_PASSWORD = 2, WINCH_SSH_KEYBOARD = 8, WINCH_SSH_AGENT = 16 };

typedef enum winch_size { WINCH_RESUME_FROM, WINCH_BODY_SIZE } winch_size;

typedef enum winch_fact {
    WINCH_RESPONSE_CODE, WINCH_CONNECT_CODE, WINCH_REDIRECT_COUNT, WINCH_OS_ERROR, WINCH_CONTENT_LENGTH, WINCH_PORT,
    // libcurl's numbers: 1, 2, 3 and 30 for HTTP/1.0, 1.1, 2 and 3; 0 for what is not HTTP.
    WINCH_HTTP_VERSION,
    // Bytes of the body of an upload that libcurl has given to the system.
    WINCH_SENT,
    // When the file was changed, in seconds since 1970, if that was asked of an FTP or SFTP server; -1: not known.
    WINCH_FILE_TIME,
    // The microseconds until the connection was open, at the server or its proxy; 0: it is not.
    WINCH_CONNECT_TIME
} winch_fact;

// As libcurl calls them: `one` is always 1; anything but `count` as the answer ends the transfer.
typedef size_t (*winch_receive)(char *bytes, size_t one, size_t count, void *context);
// The connection is chosen and the request is about to go out; 0 goes on, anything else ends transfer and connection.
typedef int (*winch_requested)(void *context, char *remote, char *local, int remote_port, int local_port);
// With WINCH_VERBOSE: a line of libcurl's log, or bytes of a body as they were received.
typedef int (*winch_told)(void *, unsigned kind, char *bytes, size_t count, void *context);
enum { WINCH_TOLD_TEXT = 0, WINCH_TOLD_BODY = 3 };

// Before the first thread; a second call does no harm. 0 or a CURLcode.
int winch_curl_start(void);
const char *winch_curl_version(void);
// `libssh2/1.10.0`; NULL without SSH.
const char *winch_ssh_version(void);

winch_easy *winch_easy_new(void);
void winch_easy_free(winch_easy *);
void winch_easy_reset(winch_easy *);
int winch_easy_set_text(winch_easy *, winch_text, const char *);
int winch_easy_set_number(winch_easy *, winch_number, long);
// A body callback's answer: not now, the same bytes again after `release`. Not to be released inside a callback.
extern const size_t winch_easy_hold;
int winch_easy_release(winch_easy *);
int winch_easy_set_size(winch_easy *, winch_size, int64_t);
int winch_easy_set_headers(winch_easy *, winch_list *);
// Of requests to an HTTP proxy, besides those above where it gets the request itself.
int winch_easy_set_proxy_headers(winch_easy *, winch_list *);
int winch_easy_set_share(winch_easy *, winch_share *);
// `words` holds 256 bytes.
int winch_easy_set_callbacks(
    winch_easy *, void *context, winch_receive body, winch_receive header, winch_requested requested, winch_told told,
    char *words);
// Gives libcurl the next bytes of an upload's body, as libcurl calls it: their number, 0 at the end, `winch_easy_wait` when
// there are none yet (go on with `release`), or `winch_easy_abort`. The context is that of the callbacks.
typedef size_t (*winch_send)(char *bytes, size_t one, size_t count, void *context);
// Goes to a position of the body; 0: done, 1: impossible. `origin` is 0: from the start.
typedef int (*winch_seek)(void *context, int64_t position, int origin);
extern const size_t winch_easy_wait, winch_easy_abort;
int winch_easy_set_source(winch_easy *, void *context, winch_send, winch_seek);
// Commands of FTP and SFTP before and after the transfer. The lists live as long as the handle may use them.
int winch_easy_set_commands(winch_easy *, winch_list *before, winch_list *after);
// Bytes that a socket has taken and the other end has not acknowledged; -1 when not known.
int winch_socket_unsent(int socket);
// Hears of every socket when it is made, before it is connected, and just before it is closed. Lives as long as the
// connections.
typedef struct winch_socket_listener {
    void (*opened)(void *context, int socket);
    void (*closed)(void *context, int socket);
    void *context;
} winch_socket_listener;
void winch_easy_set_socket_listener(
    winch_easy *, const winch_socket_listener *opening, const winch_socket_listener *closing);
// Decides on the key of an SSH server, as libcurl calls it: 0 accepts it, 1 refuses it.
typedef int (*winch_judge)(void *context, int type, const char *key, size_t count);
// False where libcurl cannot ask about keys: then WINCH_KNOWN_HOSTS must name the user's own file.
bool winch_easy_set_host_key_judge(winch_easy *, void *context, winch_judge);
// Hears of each TLS connection that was closed by a close_notify alert. libcurl 7.88 takes a connection that was cut off
// for the end of a body, and an attacker on the way could cut a file. Lives as long as the connections.
typedef struct winch_tls_listener {
    void (*ended)(void *context, const void *connection);
    void *context;
} winch_tls_listener;
// Without effect where TLS is not OpenSSL's; then the connection below is NULL.
void winch_easy_set_tls_listener(winch_easy *, const winch_tls_listener *);
// The TLS connection of the transfer under way.
const void *winch_easy_tls_connection(winch_easy *);
// `TLSv1.3`, and the cipher's name; NULL where the library does not say. The connection as given above.
const char *winch_tls_version(const void *connection);
const char *winch_tls_cipher(const void *connection);
// The TLS of the connection of the transfer under way, of any library.
typedef enum winch_encryption {
    WINCH_ENCRYPTION_NONE,
    // It speaks HTTP/2, whose frames may arrive at any time.
    WINCH_ENCRYPTION_HTTP2,
    // Decrypted bytes wait to be read.
    WINCH_ENCRYPTION_PENDING,
    // None of the above. A library that is neither OpenSSL nor GnuTLS is not asked, and its HTTP/2 is not recognised.
    WINCH_ENCRYPTION_IDLE
} winch_encryption;
winch_encryption winch_easy_encryption(winch_easy *);
// The other end's IP address; NULL or empty when not known. Lives as long as the handle is not used again.
const char *winch_easy_address(winch_easy *);
// -1 when libcurl does not know it.
int64_t winch_easy_fact(winch_easy *, winch_fact);
// The address of the last request; lives as long as the handle is not used again.
const char *winch_easy_effective_url(winch_easy *);
// `target`, which may be relative to `base`, as a whole URL; to be freed. NULL when it is no URL.
char *winch_url_joined(const char *base, const char *target);
// The cookies of the handle, each a line of a cookie file; to be freed. NULL when there are none.
winch_list *winch_easy_cookies(winch_easy *);
// The words of a CURLcode.
const char *winch_easy_words(int code);

// The list with one more line; NULL, and the old list stays, when memory is out.
winch_list *winch_list_append(winch_list *, const char *);
void winch_list_free(winch_list *);
const char *winch_list_text(const winch_list *);
// NULL at the end.
winch_list *winch_list_next(const winch_list *);

// TLS sessions in common; for handles of one thread only.
winch_share *winch_share_new(void);
void winch_share_free(winch_share *);

winch_multi *winch_multi_new(long cached_connections);
void winch_multi_free(winch_multi *);
int winch_multi_add(winch_multi *, winch_easy *);
int winch_multi_remove(winch_multi *, winch_easy *);
int winch_multi_perform(winch_multi *);
int winch_multi_poll(winch_multi *, int milliseconds);
int winch_multi_wakeup(winch_multi *);
// The next transfer that ended: the context given with its callbacks, and its CURLcode. False when there is none.
bool winch_multi_next(winch_multi *, void **context, int *code);
