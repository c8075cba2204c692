#include "CTransport.h"
#include <curl/curl.h>
const char *winch_curl_version(void) { return curl_version(); }
