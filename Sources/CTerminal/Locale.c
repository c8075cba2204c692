#include "CTerminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static bool asks_for_utf8(void) {
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && *value) return strcasestr(value, "UTF-8") || strcasestr(value, "UTF8");
    }
    return false;
}

bool winch_locale_adopt(void) {
    if (!setlocale(LC_CTYPE, "")) setlocale(LC_CTYPE, asks_for_utf8() ? "C.UTF-8" : "C");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

uint32_t winch_locale_scalar(uint8_t byte) {
    wint_t scalar = MB_CUR_MAX == 1 ? btowc(byte) : WEOF;
    return scalar == WEOF ? 0 : (uint32_t)scalar;
}

int winch_columns(uint32_t scalar) { return wcwidth((wchar_t)scalar); }
