#pragma once
const char *winch_curl_version(void);
