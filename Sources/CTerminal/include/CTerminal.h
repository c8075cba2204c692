// Calls of ncursesw and the kernel that Swift cannot make: macros, variadic functions and signal handlers. No policy.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

// Locale: only LC_CTYPE is taken from the environment, so that the decimal point does not change.
/// Adopts the locale of the environment. True if its encoding is UTF-8. If the environment names a UTF-8 locale that
/// is not installed, C.UTF-8 is used.
bool winch_locale_adopt(void);
/// The Unicode scalar of a byte in a single-byte encoding; 0 if the byte is unassigned, and in all other encodings.
uint32_t winch_locale_scalar(uint8_t byte);
/// The columns that a scalar takes on a terminal: 0, 1 or 2; -1 if it cannot be printed.
int winch_columns(uint32_t scalar);

// Terminfo: the capabilities of a type of terminal. One entry is open at a time, between `open` and `close`.
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

// Screen: ncurses writes into memory, from where the bytes are taken. One thread, one screen at a time.
typedef struct winch_screen winch_screen;
const char *winch_screen_version(void);
enum { WINCH_BOLD = 1, WINCH_DIM = 2, WINCH_REVERSE = 4, WINCH_UNDERLINE = 8 };
/// NULL if the type of terminal is unknown or memory is short.
winch_screen *winch_screen_open(const char *term, int rows, int columns);
void winch_screen_close(winch_screen *screen);
/// The number of colour pairs; 0: no colours.
int winch_screen_pairs(const winch_screen *screen);
/// True if -1 may be used for the terminal's default colour.
bool winch_screen_has_default_colors(const winch_screen *screen);
bool winch_screen_define_pair(winch_screen *screen, int pair, int foreground, int background);
void winch_screen_resize(winch_screen *screen, int rows, int columns);
/// The next flush writes everything.
void winch_screen_invalidate(winch_screen *screen);
void winch_screen_erase(winch_screen *screen);
/// Writes a character into one cell. `scalars`: a base that takes columns, then at most four that take none.
void winch_screen_put(
    winch_screen *screen, int row, int column, const uint32_t *scalars, size_t count, unsigned attributes, int pair);
void winch_screen_show_cursor(winch_screen *screen, int row, int column);
void winch_screen_hide_cursor(winch_screen *screen);
/// Writes what has changed into memory; after `end`, enters the screen again and writes everything.
void winch_screen_flush(winch_screen *screen);
/// Leaves the screen until the next flush.
void winch_screen_end(winch_screen *screen);
/// Number of bytes that were written into memory and not taken yet.
size_t winch_screen_pending(const winch_screen *screen);
/// Copies them to `bytes`, at most `count`, and empties the memory. Returns how many were copied.
size_t winch_screen_take(winch_screen *screen, void *bytes, size_t count);

/// Flushes standard output. Returns 0, or an errno if not all output could be written.
int winch_output_flush(void);

// Kernel: descriptors for signals, a terminal's size. Negative: failed, see errno.
int winch_signals_open(const int *signals, size_t count);
/// The next pending signal, 0 if none.
int winch_signals_next(int descriptor);
int winch_signals_block(const int *signals, size_t count, bool blocked);
bool winch_signal_is_ignored(int signal_number);
/// From now on blocks of 1 MiB and more are returned to the system as soon as they are freed. False if the C library
/// cannot be told so.
bool winch_memory_return_large(void);
/// Returns pages without a used block to the system, in all of the allocator's heaps.
void winch_memory_return_freed(void);
/// Unmaps the pages of the program and its libraries that are only read. A page that is used again is mapped again from the
/// file, mostly from the page cache.
void winch_memory_release_code(void);
int winch_terminal_size(int descriptor, int *rows, int *columns);

// Arguments: what `ps` shows of this process.
/// Overwrites bytes of an argument with `*`; index 0 is the program's own name. Nothing is written beyond the
/// argument's end.
void winch_argument_cover(int index, size_t from, size_t length);

// Crash: a fatal signal must not leave the terminal in raw mode, and its message must not vanish with the screen.
/// From now on a fatal signal writes `bytes` to `terminal`, restores `modes`, tells `guardian` (its line; -1: there
/// is none) that this is done, and then has its default effect.
void winch_crash_arm(int terminal, const struct termios *modes, const void *bytes, size_t count, int guardian);
void winch_crash_disarm(void);
/// A child process that acts even after a SIGKILL of this process: if this process ends while it has the terminal,
/// the guardian writes `bytes` to it and restores `modes`, unless another process has taken the terminal since.
/// `start` must be called on the main thread, since the guardian acts when that thread ends.
typedef struct {
    pid_t pid;
    int line;  // the descriptor for `tell`; -1: there is no guardian
} winch_guardian;
winch_guardian winch_guardian_start(int terminal, const struct termios *modes, const void *bytes, size_t count);
void winch_guardian_tell(int line, bool is_taken);
/// Ends a guardian that is no longer needed.
void winch_guardian_dismiss(winch_guardian guardian);
/// Holds back output to standard error until `release` or a crash.
bool winch_stderr_capture(void);
void winch_stderr_release(void);
/// Output to standard error is held back now: it ends on the terminal.
bool winch_stderr_is_held(void);
