#include "Bytes.h"
#include "CTerminal.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// SIGQUIT too: the Swift runtime treats it as a crash, and would prompt the user on the dashboard's screen.
static const int fatal[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGQUIT};
enum { FATAL = sizeof fatal / sizeof *fatal };

// The state of this module is static because a signal handler gets no argument. Written only while no handler is
// installed.
static struct {
    int terminal;
    struct termios modes;
    char bytes[512];
    size_t count;
    int guardian;
    struct sigaction before[FATAL];
} crash;
static volatile sig_atomic_t is_armed;
static int real_stderr = -1, captured_stderr = -1;
// The handler needs its own stack: after a stack overflow the normal one is full.
static char handler_stack[64 << 10];

// `print_captured` and `on_fatal` run in a signal handler: they use async-signal-safe calls only.
static void print_captured(void) {
    char block[4096];
    off_t offset = 0;
    for (ssize_t got; (got = pread(captured_stderr, block, sizeof block, offset)) > 0; offset += got)
        winch_write_all(real_stderr, block, (size_t)got, 10);
}

static void on_fatal(int signal_number) {
    if (is_armed) {
        is_armed = 0;
        winch_write_all(crash.terminal, crash.bytes, crash.count, 10);
        tcsetattr(crash.terminal, TCSANOW, &crash.modes);
        if (crash.guardian >= 0) winch_guardian_tell(crash.guardian, false);
        if (captured_stderr >= 0) print_captured();
    }
    struct sigaction fallback = {.sa_handler = SIG_DFL};
    sigaction(signal_number, &fallback, NULL);
    raise(signal_number);
}

void winch_crash_arm(int terminal, const struct termios *modes, const void *bytes, size_t count, int guardian) {
    winch_crash_disarm();
    crash.terminal = terminal;
    crash.modes = *modes;
    crash.guardian = guardian;
    crash.count = count < sizeof crash.bytes ? count : sizeof crash.bytes;
    memcpy(crash.bytes, bytes, crash.count);
    sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL);
    struct sigaction action = {.sa_handler = on_fatal, .sa_flags = SA_ONSTACK};
    is_armed = 1;
    for (int i = 0; i < FATAL; i++) sigaction(fatal[i], &action, &crash.before[i]);
}

void winch_crash_disarm(void) {
    if (!is_armed) return;
    is_armed = 0;
    for (int i = 0; i < FATAL; i++) sigaction(fatal[i], &crash.before[i], NULL);
}

bool winch_stderr_capture(void) {
    if (captured_stderr >= 0) return true;
    int memory = memfd_create("winch-stderr", MFD_CLOEXEC);
    int real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (memory < 0 || real < 0 || dup2(memory, STDERR_FILENO) < 0) {
        if (memory >= 0) close(memory);
        if (real >= 0) close(real);
        return false;
    }
    real_stderr = real;
    captured_stderr = memory;
    return true;
}

bool winch_stderr_is_held(void) { return captured_stderr >= 0; }

void winch_stderr_release(void) {
    if (captured_stderr < 0) return;
    dup2(real_stderr, STDERR_FILENO);
    print_captured();
    close(captured_stderr);
    close(real_stderr);
    real_stderr = captured_stderr = -1;
}
