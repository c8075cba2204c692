#include "CTerminal.h"
#include <curses.h>
int winch_term(void) { return endwin(); }
