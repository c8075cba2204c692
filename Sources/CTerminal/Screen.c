#include "CTerminal.h"

#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct winch_screen {
    SCREEN *curses;
    FILE *paper;  // in memory: ncurses writes whenever its small buffer is full, but a frame must be one write
    bool has_default_colors;
};

// newterm installs handlers for these signals. They are removed again: the caller reads the signals from a
// descriptor.
static const int claimed[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
enum { CLAIMED = sizeof claimed / sizeof *claimed };

winch_screen *winch_screen_open(const char *term, int rows, int columns) {
    winch_screen *screen = calloc(1, sizeof *screen);
    if (!screen) return NULL;
    int memory = memfd_create("winch-screen", MFD_CLOEXEC);
    screen->paper = memory < 0 ? NULL : fdopen(memory, "w+");
    if (!screen->paper) {
        if (memory >= 0) close(memory);
        free(screen);
        return NULL;
    }
    struct sigaction before[CLAIMED];
    for (int i = 0; i < CLAIMED; i++) sigaction(claimed[i], NULL, &before[i]);
    use_env(FALSE);
    screen->curses = newterm(term, screen->paper, screen->paper);
    for (int i = 0; i < CLAIMED; i++) sigaction(claimed[i], &before[i], NULL);
    if (!screen->curses) {
        fclose(screen->paper);
        free(screen);
        return NULL;
    }
    typeahead(-1);
    nonl();
    leaveok(stdscr, TRUE);
    if (has_colors() && start_color() == OK) screen->has_default_colors = use_default_colors() == OK;
    curs_set(0);
    winch_screen_resize(screen, rows, columns);
    return screen;
}

void winch_screen_close(winch_screen *screen) {
    if (!isendwin()) endwin();
    delscreen(screen->curses);
    fclose(screen->paper);
    free(screen);
}

int winch_screen_pairs(const winch_screen *screen) { return screen->curses && has_colors() ? COLOR_PAIRS : 0; }
bool winch_screen_has_default_colors(const winch_screen *screen) { return screen->has_default_colors; }

bool winch_screen_define_pair(winch_screen *screen, int pair, int foreground, int background) {
    return screen->curses && init_extended_pair(pair, foreground, background) == OK;
}

void winch_screen_resize(winch_screen *screen, int rows, int columns) {
    if (screen->curses) resize_term(rows, columns);
    winch_screen_invalidate(screen);
}

void winch_screen_invalidate(winch_screen *screen) {
    if (screen->curses) clearok(curscr, TRUE);
}

void winch_screen_erase(winch_screen *screen) {
    if (screen->curses) werase(stdscr);
}

static attr_t curses_attributes(unsigned attributes) {
    attr_t result = WA_NORMAL;
    if (attributes & WINCH_BOLD) result |= WA_BOLD;
    if (attributes & WINCH_DIM) result |= WA_DIM;
    if (attributes & WINCH_REVERSE) result |= WA_REVERSE;
    if (attributes & WINCH_UNDERLINE) result |= WA_UNDERLINE;
    return result;
}

void winch_screen_put(
    winch_screen *screen, int row, int column, const uint32_t *scalars, size_t count, unsigned attributes, int pair) {
    wchar_t text[CCHARW_MAX + 1] = {0};
    for (size_t i = 0; i < count && i < CCHARW_MAX; i++) text[i] = (wchar_t)scalars[i];
    cchar_t cell;
    if (!screen->curses || setcchar(&cell, text, curses_attributes(attributes), 0, &pair) != OK) return;
    mvadd_wchnstr(row, column, &cell, 1);
}

void winch_screen_show_cursor(winch_screen *screen, int row, int column) {
    if (!screen->curses) return;
    leaveok(stdscr, FALSE);
    wmove(stdscr, row, column);
    curs_set(1);
}

void winch_screen_hide_cursor(winch_screen *screen) {
    if (!screen->curses) return;
    leaveok(stdscr, TRUE);
    curs_set(0);
}

void winch_screen_flush(winch_screen *screen) {
    if (!screen->curses) return;
    wnoutrefresh(stdscr);
    doupdate();
}

void winch_screen_end(winch_screen *screen) {
    // A second endwin would leave a screen that Winch has not entered.
    if (screen->curses && !isendwin()) endwin();
}

size_t winch_screen_pending(const winch_screen *screen) {
    off_t size = lseek(fileno(screen->paper), 0, SEEK_END);
    return size < 0 ? 0 : (size_t)size;
}

size_t winch_screen_take(winch_screen *screen, void *bytes, size_t count) {
    int paper = fileno(screen->paper);
    ssize_t got = pread(paper, bytes, count, 0);
    if (ftruncate(paper, 0) != 0 || lseek(paper, 0, SEEK_SET) != 0) return 0;
    return got < 0 ? 0 : (size_t)got;
}

const char *winch_screen_version(void) { return curses_version(); }
