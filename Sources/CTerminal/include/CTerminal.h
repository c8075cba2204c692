// What Swift cannot say to ncursesw and the kernel: macros, variadics and signal handlers. No policy in here.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Locale: only LC_CTYPE is taken from the environment, so that numbers keep their dots everywhere.
/// True if text is UTF-8. Takes C.UTF-8 when the environment asks for a UTF-8 locale that is not installed.
bool winch_locale_adopt(void);
/// What a byte means where each character is one byte; 0 for nothing, and in all other encodings.
uint32_t winch_locale_scalar(uint8_t byte);
/// Columns that a terminal gives a scalar: 0, 1 or 2, and -1 for what cannot be printed.
int winch_columns(uint32_t scalar);

// Terminfo: what is known of a type of terminal. One entry is open at a time, between `open` and `close`.
/// 1 found; 0 no such type; -1 no database.
int winch_terminfo_open(const char *term);
void winch_terminfo_close(void);
/// The names in the order of a compiled entry; NULL after the last.
const char *winch_terminfo_flag_name(size_t index);
const char *winch_terminfo_number_name(size_t index);
const char *winch_terminfo_string_name(size_t index);
bool winch_terminfo_flag(const char *name);
/// -1 when absent.
int winch_terminfo_number(const char *name);
/// NULL when absent; lives until `close`.
const char *winch_terminfo_string(const char *name);

// Screen: ncurses paints into memory; the bytes are taken from there. One thread, one screen at a time.
typedef struct winch_screen winch_screen;
const char *winch_screen_version(void);
enum { WINCH_BOLD = 1, WINCH_DIM = 2, WINCH_REVERSE = 4, WINCH_UNDERLINE = 8 };
/// NULL if the type of terminal is unknown or memory is short.
winch_screen *winch_screen_open(const char *term, int rows, int columns);
void winch_screen_close(winch_screen *screen);
/// 0: no colours.
int winch_screen_pairs(const winch_screen *screen);
/// True if -1 may stand for the terminal's own colour.
bool winch_screen_has_default_colors(const winch_screen *screen);
bool winch_screen_define_pair(winch_screen *screen, int pair, int foreground, int background);
void winch_screen_resize(winch_screen *screen, int rows, int columns);
/// Everything is written anew by the next flush.
void winch_screen_invalidate(winch_screen *screen);
void winch_screen_erase(winch_screen *screen);
/// `scalars`: one that takes columns, then at most four that take none.
void winch_screen_put(
    winch_screen *screen, int row, int column, const uint32_t *scalars, size_t count, unsigned attributes, int pair);
void winch_screen_show_cursor(winch_screen *screen, int row, int column);
void winch_screen_hide_cursor(winch_screen *screen);
/// Paints what changed; after `end`, goes back to the screen with all of it.
void winch_screen_flush(winch_screen *screen);
/// Leaves the screen until the next flush.
void winch_screen_end(winch_screen *screen);
/// Bytes painted and not taken yet.
size_t winch_screen_pending(const winch_screen *screen);
/// Takes all of them; `bytes` has room for `count`. Returns how many there were.
size_t winch_screen_take(winch_screen *screen, void *bytes, size_t count);

/// Sends what the C library still holds of standard output: 0, or why not all of it was written (an errno).
int winch_output_flush(void);

// Kernel: descriptors for signals and wake-ups, a terminal's size. Negative: failed, see errno.
int winch_signals_open(const int *signals, size_t count);
/// The next pending signal, 0 if none.
int winch_signals_next(int descriptor);
int winch_signals_block(const int *signals, size_t count, bool blocked);
bool winch_signal_is_ignored(int signal_number);
int winch_event_open(void);
/// Blocks of a megabyte and more go back to the system as soon as they are free. False where that cannot be said.
bool winch_memory_return_large(void);
int winch_terminal_size(int descriptor, int *rows, int *columns);

// Arguments: what `ps` shows of this process.
/// Writes stars over bytes of an argument; 0 is the program's own name. What lies beyond it is left alone.
void winch_argument_cover(int index, size_t from, size_t length);

// Crash: a trap must not leave the terminal raw, nor its message on a screen that goes away.
/// From now on a fatal signal writes `bytes` to `terminal`, restores `modes`, tells `guardian` (its line; -1: there is none) that
/// this is done, and ends the process as it would have.
void winch_crash_arm(int terminal, const struct termios *modes, const void *bytes, size_t count, int guardian);
void winch_crash_disarm(void);
/// A process that outlives even SIGKILL: when this one is gone and had the terminal, it writes `bytes` to it and, unless
/// somebody else has taken it since, restores `modes`. Called by the thread that lives as long as the process.
typedef struct {
    pid_t pid;
    int line;  // what `tell` takes; -1: there is no guardian
} winch_guardian;
winch_guardian winch_guardian_start(int terminal, const struct termios *modes, const void *bytes, size_t count);
void winch_guardian_tell(int line, bool is_taken);
/// It is not needed any more.
void winch_guardian_dismiss(winch_guardian guardian);
/// Holds back what is written to standard error until `release` or a crash.
bool winch_stderr_capture(void);
void winch_stderr_release(void);
