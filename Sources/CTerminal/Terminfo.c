#include "CTerminal.h"

#include <curses.h>
#include <term.h>

int winch_terminfo_open(const char *term) {
    int found = -1;
    return setupterm(term, -1, &found) == OK ? 1 : found > 0 ? 0 : found;
}

void winch_terminfo_close(void) {
    if (cur_term) del_curterm(cur_term);
}

const char *winch_terminfo_flag_name(size_t index) { return boolnames[index]; }
const char *winch_terminfo_number_name(size_t index) { return numnames[index]; }
const char *winch_terminfo_string_name(size_t index) { return strnames[index]; }

bool winch_terminfo_flag(const char *name) { return tigetflag(name) > 0; }

int winch_terminfo_number(const char *name) {
    int number = tigetnum(name);
    return number < 0 ? -1 : number;
}

const char *winch_terminfo_string(const char *name) {
    const char *string = tigetstr(name);
    return string == (const char *)-1 ? NULL : string;
}
