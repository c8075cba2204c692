#define _GNU_SOURCE
#include "Curl.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <string.h>
#include <unistd.h>

static const CURLoption texts[] = {
    [WINCH_URL] = CURLOPT_URL,
    [WINCH_RANGE] = CURLOPT_RANGE,
    [WINCH_USER] = CURLOPT_USERNAME,
    [WINCH_PASSWORD] = CURLOPT_PASSWORD,
    [WINCH_USER_AGENT] = CURLOPT_USERAGENT,
    [WINCH_REFERER] = CURLOPT_REFERER,
    [WINCH_COOKIE_FILE] = CURLOPT_COOKIEFILE,
    [WINCH_PROXY] = CURLOPT_PROXY,
    [WINCH_CA_FILE] = CURLOPT_CAINFO,
    [WINCH_CERTIFICATE] = CURLOPT_SSLCERT,
    [WINCH_CERTIFICATE_KEY] = CURLOPT_SSLKEY,
    [WINCH_PROTOCOLS] = CURLOPT_PROTOCOLS_STR,
    [WINCH_REDIRECT_PROTOCOLS] = CURLOPT_REDIR_PROTOCOLS_STR,
    [WINCH_KNOWN_HOSTS] = CURLOPT_SSH_KNOWNHOSTS,
    [WINCH_SSH_KEY_FILE] = CURLOPT_SSH_PRIVATE_KEYFILE,
    [WINCH_KEY_PASSPHRASE] = CURLOPT_KEYPASSWD,
    [WINCH_METHOD] = CURLOPT_CUSTOMREQUEST,
    [WINCH_SASL_IDENTITY] = CURLOPT_SASL_AUTHZID,
    [WINCH_COOKIES] = CURLOPT_COOKIELIST,
    [WINCH_COOKIE] = CURLOPT_COOKIE,
};

static const CURLoption numbers[] = {
    [WINCH_NO_SIGNAL] = CURLOPT_NOSIGNAL,
    [WINCH_BUFFER_SIZE] = CURLOPT_BUFFERSIZE,
    [WINCH_FOLLOW] = CURLOPT_FOLLOWLOCATION,
    [WINCH_MAX_REDIRECTS] = CURLOPT_MAXREDIRS,
    [WINCH_AUTH] = CURLOPT_HTTPAUTH,
    [WINCH_UNRESTRICTED_AUTH] = CURLOPT_UNRESTRICTED_AUTH,
    [WINCH_NETRC] = CURLOPT_NETRC,
    [WINCH_VERIFY_PEER] = CURLOPT_SSL_VERIFYPEER,
    [WINCH_VERIFY_HOST] = CURLOPT_SSL_VERIFYHOST,
    [WINCH_CONNECT_TIMEOUT_MS] = CURLOPT_CONNECTTIMEOUT_MS,
    [WINCH_TCP_NODELAY] = CURLOPT_TCP_NODELAY,
    [WINCH_TCP_KEEPALIVE] = CURLOPT_TCP_KEEPALIVE,
    [WINCH_PIPE_WAIT] = CURLOPT_PIPEWAIT,
    [WINCH_NO_BODY] = CURLOPT_NOBODY,
    [WINCH_GET] = CURLOPT_HTTPGET,
    [WINCH_SUPPRESS_CONNECT_HEADERS] = CURLOPT_SUPPRESS_CONNECT_HEADERS,
    [WINCH_QUICK_EXIT] = CURLOPT_QUICK_EXIT,
    [WINCH_FRESH_CONNECT] = CURLOPT_FRESH_CONNECT,
    [WINCH_HTTP_VERSION_WANTED] = CURLOPT_HTTP_VERSION,
    [WINCH_FORBID_REUSE] = CURLOPT_FORBID_REUSE,
    [WINCH_SSH_METHODS] = CURLOPT_SSH_AUTH_TYPES,
    [WINCH_VERBOSE] = CURLOPT_VERBOSE,
    [WINCH_UPLOAD] = CURLOPT_UPLOAD,
    [WINCH_CREATE_FOLDERS] = CURLOPT_FTP_CREATE_MISSING_DIRS,
    [WINCH_UPLOAD_BUFFER_SIZE] = CURLOPT_UPLOAD_BUFFERSIZE,
    [WINCH_USE_TLS] = CURLOPT_USE_SSL,
    [WINCH_TLS_COMMAND] = CURLOPT_FTPSSLAUTH,
    [WINCH_TLS_VERSIONS] = CURLOPT_SSLVERSION,
    [WINCH_REPLY_TIMEOUT] = CURLOPT_SERVER_RESPONSE_TIMEOUT,
    [WINCH_PROXY_TUNNEL] = CURLOPT_HTTPPROXYTUNNEL,
    [WINCH_ASK_TIME] = CURLOPT_FILETIME,
    [WINCH_FTP_PATHS] = CURLOPT_FTP_FILEMETHOD,
    [WINCH_IGNORE_SIZE] = CURLOPT_IGNORE_CONTENT_LENGTH,
};

static const CURLoption sizes[] = {
    [WINCH_RESUME_FROM] = CURLOPT_RESUME_FROM_LARGE,
    [WINCH_BODY_SIZE] = CURLOPT_INFILESIZE_LARGE,
};

_Static_assert(sizeof(curl_off_t) == sizeof(int64_t), "sizes are 64 bits");
_Static_assert(
    WINCH_FTP_EACH == CURLFTPMETHOD_MULTICWD && WINCH_FTP_NONE == CURLFTPMETHOD_NOCWD &&
        WINCH_FTP_ONE == CURLFTPMETHOD_SINGLECWD,
    "the ways are libcurl's");
_Static_assert(WINCH_AUTH_BASIC == CURLAUTH_BASIC && WINCH_AUTH_DIGEST == CURLAUTH_DIGEST, "the bits are libcurl's");
_Static_assert(
    WINCH_SSH_KEY == CURLSSH_AUTH_PUBLICKEY && WINCH_SSH_PASSWORD == CURLSSH_AUTH_PASSWORD &&
        WINCH_SSH_KEYBOARD == CURLSSH_AUTH_KEYBOARD && WINCH_SSH_AGENT == CURLSSH_AUTH_AGENT,
    "the bits are libcurl's");

int winch_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
const char *winch_curl_version(void) { return curl_version(); }
const char *winch_ssh_version(void) { return curl_version_info(CURLVERSION_NOW)->libssh_version; }

winch_easy *winch_easy_new(void) { return (winch_easy *)curl_easy_init(); }
void winch_easy_free(winch_easy *easy) { curl_easy_cleanup((CURL *)easy); }
void winch_easy_reset(winch_easy *easy) { curl_easy_reset((CURL *)easy); }

int winch_easy_set_text(winch_easy *easy, winch_text option, const char *text) {
    return curl_easy_setopt((CURL *)easy, texts[option], text);
}

int winch_easy_set_number(winch_easy *easy, winch_number option, long number) {
    return curl_easy_setopt((CURL *)easy, numbers[option], number);
}

const size_t winch_easy_hold = CURL_WRITEFUNC_PAUSE;
int winch_easy_release(winch_easy *easy) { return curl_easy_pause((CURL *)easy, CURLPAUSE_CONT); }

int winch_easy_set_size(winch_easy *easy, winch_size option, int64_t size) {
    return curl_easy_setopt((CURL *)easy, sizes[option], (curl_off_t)size);
}

int winch_easy_set_headers(winch_easy *easy, winch_list *list) {
    return curl_easy_setopt((CURL *)easy, CURLOPT_HTTPHEADER, (struct curl_slist *)list);
}

int winch_easy_set_proxy_headers(winch_easy *easy, winch_list *list) {
    return curl_easy_setopt((CURL *)easy, CURLOPT_PROXYHEADER, (struct curl_slist *)list);
}

int winch_easy_set_share(winch_easy *easy, winch_share *share) {
    return curl_easy_setopt((CURL *)easy, CURLOPT_SHARE, (CURLSH *)share);
}

_Static_assert(WINCH_TOLD_TEXT == CURLINFO_TEXT && WINCH_TOLD_BODY == CURLINFO_DATA_IN, "the kinds are libcurl's");

int winch_easy_set_callbacks(
    winch_easy *easy, void *context, winch_receive body, winch_receive header, winch_requested requested,
    winch_told told, char *words) {
    CURL *curl = (CURL *)easy;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_PRIVATE, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_PREREQDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_PREREQFUNCTION, requested);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_DEBUGDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, told);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, words);
    return code;
}

static int socket_opened(void *listener, curl_socket_t socket, curlsocktype purpose) {
    (void)purpose;
    const winch_socket_listener *to = listener;
    to->opened(to->context, socket);
    return CURL_SOCKOPT_OK;
}

static int socket_closed(void *listener, curl_socket_t socket) {
    const winch_socket_listener *to = listener;
    to->closed(to->context, socket);
    return close(socket);
}

_Static_assert(
    WINCH_TLS_NONE == CURLUSESSL_NONE && WINCH_TLS_TRY == CURLUSESSL_TRY && WINCH_TLS_ALL == CURLUSESSL_ALL &&
        (long)WINCH_TLS_UP_TO_1_2 == CURL_SSLVERSION_MAX_TLSv1_2,
    "the values are libcurl's");

const size_t winch_easy_wait = CURL_READFUNC_PAUSE, winch_easy_abort = CURL_READFUNC_ABORT;

int winch_easy_set_source(winch_easy *easy, void *context, winch_send send, winch_seek seek) {
    CURL *curl = (CURL *)easy;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_READDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_SEEKDATA, context);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, send);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, seek);
    return code;
}

int winch_easy_set_commands(winch_easy *easy, winch_list *before, winch_list *after) {
    CURL *curl = (CURL *)easy;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_QUOTE, (struct curl_slist *)before);
    if (!code) code = curl_easy_setopt(curl, CURLOPT_POSTQUOTE, (struct curl_slist *)after);
    return code;
}

int winch_socket_unsent(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) ? -1 : count;
}

void winch_easy_set_socket_listener(
    winch_easy *easy, const winch_socket_listener *opening, const winch_socket_listener *closing) {
    CURL *curl = (CURL *)easy;
    curl_easy_setopt(curl, CURLOPT_SOCKOPTDATA, (void *)opening);
    curl_easy_setopt(curl, CURLOPT_SOCKOPTFUNCTION, socket_opened);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, (void *)closing);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, socket_closed);
}

_Static_assert(CURLKHMATCH_OK == 0 && CURLKHMATCH_MISMATCH == 1, "the answers are libcurl's");

bool winch_easy_set_host_key_judge(winch_easy *easy, void *context, winch_judge judge) {
    CURL *curl = (CURL *)easy;
    return !curl_easy_setopt(curl, CURLOPT_SSH_HOSTKEYDATA, context) &&
        !curl_easy_setopt(curl, CURLOPT_SSH_HOSTKEYFUNCTION, judge);
}

// The little of OpenSSL's ABI that is needed, so that its headers need not be here. libcurl has the library loaded.
enum { set_message_context = 16, alert_record = 21, close_notify = 0 };
typedef void (*message_callback)(int, int, int, const void *, size_t, void *, void *);

static void hear_message(
    int is_sent, int version, int type, const void *bytes, size_t count, void *connection, void *context) {
    (void)version;
    const winch_tls_listener *listener = context;
    if (is_sent || type != alert_record || count != 2 || ((const uint8_t *)bytes)[1] != close_notify) return;
    listener->ended(listener->context, connection);
}

static CURLcode listen_to_tls(CURL *curl, void *tls, void *listener) {
    (void)curl;
    void (*set_callback)(void *, message_callback) = dlsym(RTLD_DEFAULT, "SSL_CTX_set_msg_callback");
    long (*control)(void *, int, long, void *) = dlsym(RTLD_DEFAULT, "SSL_CTX_ctrl");
    if (set_callback && control) {
        control(tls, set_message_context, 0, listener);
        set_callback(tls, hear_message);
    }
    return CURLE_OK;
}

// Found out once: it is asked for each request, and a look at libcurl's version makes texts.
static bool has_openssl(void) {
    static _Atomic int answer; // 0: not known
    if (!answer) {
        const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;
        bool is_there = library && !strncmp(library, "OpenSSL/", 8) && dlsym(RTLD_DEFAULT, "SSL_CTX_set_msg_callback");
        answer = is_there ? 1 : -1;
    }
    return answer > 0;
}

void winch_easy_set_tls_listener(winch_easy *easy, const winch_tls_listener *listener) {
    if (!has_openssl()) return;
    curl_easy_setopt((CURL *)easy, CURLOPT_SSL_CTX_FUNCTION, listen_to_tls);
    curl_easy_setopt((CURL *)easy, CURLOPT_SSL_CTX_DATA, (void *)listener);
}

const void *winch_easy_tls_connection(winch_easy *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (!has_openssl() || curl_easy_getinfo((CURL *)easy, CURLINFO_TLS_SSL_PTR, &session) || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

const char *winch_tls_version(const void *connection) {
    if (!connection) return NULL;
    const char *(*version)(const void *) = dlsym(RTLD_DEFAULT, "SSL_get_version");
    return version ? version(connection) : NULL;
}

const char *winch_tls_cipher(const void *connection) {
    if (!connection) return NULL;
    const void *(*cipher)(const void *) = dlsym(RTLD_DEFAULT, "SSL_get_current_cipher");
    const char *(*name)(const void *) = dlsym(RTLD_DEFAULT, "SSL_CIPHER_get_name");
    const void *current = cipher ? cipher(connection) : NULL;
    return current && name ? name(current) : NULL;
}

// gnutls_datum_t, a part of GnuTLS's ABI.
struct gnutls_text {
    const unsigned char *bytes;
    unsigned count;
};

winch_encryption winch_easy_encryption(winch_easy *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo((CURL *)easy, CURLINFO_TLS_SSL_PTR, &session) || !session || !session->internals)
        return WINCH_ENCRYPTION_NONE;
    const void *connection = session->internals;
    struct gnutls_text protocol = {NULL, 0};
    bool has_pending = false;
    if (session->backend == CURLSSLBACKEND_OPENSSL) {
        void (*selected)(const void *, const unsigned char **, unsigned *) =
            dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
        int (*pending)(const void *) = dlsym(RTLD_DEFAULT, "SSL_pending");
        if (selected) selected(connection, &protocol.bytes, &protocol.count);
        has_pending = pending && pending(connection) > 0;
    } else if (session->backend == CURLSSLBACKEND_GNUTLS) {
        int (*selected)(const void *, struct gnutls_text *) = dlsym(RTLD_DEFAULT, "gnutls_alpn_get_selected_protocol");
        size_t (*pending)(const void *) = dlsym(RTLD_DEFAULT, "gnutls_record_check_pending");
        if (selected && selected(connection, &protocol)) protocol.count = 0;
        has_pending = pending && pending(connection) > 0;
    }
    if (protocol.count == 2 && protocol.bytes && !memcmp(protocol.bytes, "h2", 2)) return WINCH_ENCRYPTION_HTTP2;
    return has_pending ? WINCH_ENCRYPTION_PENDING : WINCH_ENCRYPTION_IDLE;
}

const char *winch_easy_address(winch_easy *easy) {
    char *address = NULL;
    curl_easy_getinfo((CURL *)easy, CURLINFO_PRIMARY_IP, &address);
    return address;
}

int64_t winch_easy_fact(winch_easy *easy, winch_fact fact) {
    CURL *curl = (CURL *)easy;
    long number = -1;
    curl_off_t size = -1;
    switch (fact) {
    case WINCH_RESPONSE_CODE: curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &number); return number;
    case WINCH_CONNECT_CODE: curl_easy_getinfo(curl, CURLINFO_HTTP_CONNECTCODE, &number); return number;
    case WINCH_REDIRECT_COUNT: curl_easy_getinfo(curl, CURLINFO_REDIRECT_COUNT, &number); return number;
    case WINCH_OS_ERROR: curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &number); return number;
    case WINCH_PORT: curl_easy_getinfo(curl, CURLINFO_PRIMARY_PORT, &number); return number;
    case WINCH_HTTP_VERSION: curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &number); return number;
    case WINCH_SENT: curl_easy_getinfo(curl, CURLINFO_SIZE_UPLOAD_T, &size); return size;
    case WINCH_CONNECT_TIME: curl_easy_getinfo(curl, CURLINFO_CONNECT_TIME_T, &size); return size;
    case WINCH_FILE_TIME: curl_easy_getinfo(curl, CURLINFO_FILETIME_T, &size); return size;
    case WINCH_CONTENT_LENGTH: curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size); return size;
    }
    return -1;
}

const char *winch_easy_effective_url(winch_easy *easy) {
    char *url = NULL;
    curl_easy_getinfo((CURL *)easy, CURLINFO_EFFECTIVE_URL, &url);
    return url;
}

char *winch_url_joined(const char *base, const char *target) {
    CURLU *url = curl_url();
    char *whole = NULL, *copy = NULL;
    if (url && !curl_url_set(url, CURLUPART_URL, base, 0) &&
        !curl_url_set(url, CURLUPART_URL, target, CURLU_URLENCODE | CURLU_ALLOW_SPACE) &&
        !curl_url_get(url, CURLUPART_URL, &whole, 0))
        copy = strdup(whole);
    curl_free(whole);
    curl_url_cleanup(url);
    return copy;
}

const char *winch_easy_words(int code) { return curl_easy_strerror((CURLcode)code); }

winch_list *winch_list_append(winch_list *list, const char *line) {
    return (winch_list *)curl_slist_append((struct curl_slist *)list, line);
}
void winch_list_free(winch_list *list) { curl_slist_free_all((struct curl_slist *)list); }
const char *winch_list_text(const winch_list *list) { return ((const struct curl_slist *)list)->data; }
winch_list *winch_list_next(const winch_list *list) { return (winch_list *)((const struct curl_slist *)list)->next; }

winch_list *winch_easy_cookies(winch_easy *easy) {
    struct curl_slist *list = NULL;
    curl_easy_getinfo((CURL *)easy, CURLINFO_COOKIELIST, &list);
    return (winch_list *)list;
}

winch_share *winch_share_new(void) {
    CURLSH *share = curl_share_init();
    if (share) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    return (winch_share *)share;
}
void winch_share_free(winch_share *share) { curl_share_cleanup((CURLSH *)share); }

winch_multi *winch_multi_new(long cached_connections) {
    CURLM *multi = curl_multi_init();
    if (multi) curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, cached_connections);
    return (winch_multi *)multi;
}
void winch_multi_free(winch_multi *multi) { curl_multi_cleanup((CURLM *)multi); }
int winch_multi_add(winch_multi *multi, winch_easy *easy) {
    return curl_multi_add_handle((CURLM *)multi, (CURL *)easy);
}
int winch_multi_remove(winch_multi *multi, winch_easy *easy) {
    return curl_multi_remove_handle((CURLM *)multi, (CURL *)easy);
}
int winch_multi_perform(winch_multi *multi) {
    int running;
    return curl_multi_perform((CURLM *)multi, &running);
}
int winch_multi_poll(winch_multi *multi, int milliseconds) {
    return curl_multi_poll((CURLM *)multi, NULL, 0, milliseconds, NULL);
}
int winch_multi_wakeup(winch_multi *multi) { return curl_multi_wakeup((CURLM *)multi); }

bool winch_multi_next(winch_multi *multi, void **context, int *code) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read((CURLM *)multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        char *private = NULL;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
        *context = private;
        *code = message->data.result;
        return true;
    }
    return false;
}
