#include "Bytes.h"
#include "CTerminal.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

// Returns a robust mutex that this process holds until it ends. When a process dies, the kernel first releases its
// robust mutexes, before it frees its memory and long before it notifies the shell. So the guardian can leave the
// screen before the shell writes its prompt there. Without such a mutex (NULL) the guardian learns of the end from
// the pipe, a little later.
static pthread_mutex_t *hold_lifeline(void) {
    pthread_mutex_t *lifeline =
        mmap(NULL, sizeof *lifeline, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (lifeline == MAP_FAILED) return NULL;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    bool is_held = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0
                   && pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0
                   && pthread_mutex_init(lifeline, &attributes) == 0 && pthread_mutex_lock(lifeline) == 0;
    pthread_mutexattr_destroy(&attributes);
    if (is_held) return lifeline;
    munmap(lifeline, sizeof *lifeline);
    return NULL;
}

// Waits until the parent has ended. Returns the last byte in the pipe: 'A' if the parent had the terminal then.
static char last_word(pthread_mutex_t *lifeline) {
    if (lifeline && pthread_mutex_lock(lifeline) == EOWNERDEAD) fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    char state = 0, byte;
    for (ssize_t got; (got = read(STDIN_FILENO, &byte, 1)) != 0;)
        if (got > 0) state = byte;
        else if (errno != EINTR) break;
    return state;
}

// The guardian process. Between fork and exit it uses only async-signal-safe functions and plain system calls,
// because the parent may have other threads.
static void stand_guard(
    pthread_mutex_t *lifeline, int pipe, int terminal, pid_t group, const struct termios *modes, const char *bytes,
    size_t count) {
    sigset_t all;
    sigfillset(&all);
    // This includes SIGTTOU: a background process may change the terminal's settings only while SIGTTOU is blocked.
    sigprocmask(SIG_SETMASK, &all, NULL);
    setpgid(0, 0);
    prctl(PR_SET_NAME, "winch-guardian");
    dup2(pipe, STDIN_FILENO);
    dup2(terminal, STDOUT_FILENO);
    // No inherited descriptor stays open: the reader of a pipe must not wait for its end because of the guardian.
    if (close_range(STDERR_FILENO, ~0U, 0) != 0)
        for (int descriptor = STDERR_FILENO; descriptor < 4096; descriptor++) close(descriptor);
    if (last_word(lifeline) == 'A') {
        // If a shell has taken the terminal back, it has changed the settings already. Before the shell's screen is seen: what is
        // typed at once is to be a line for the shell.
        pid_t foreground = tcgetpgrp(STDOUT_FILENO);
        if (foreground == group || foreground <= 0 || kill(-foreground, 0) != 0)
            tcsetattr(STDOUT_FILENO, TCSANOW, modes);
        // Up to 60 s: a slow line may have to take the rest of a frame first.
        winch_write_all(STDOUT_FILENO, bytes, count, 60 * 20);
    }
    _exit(0);
}

winch_guardian winch_guardian_start(int terminal, const struct termios *modes, const void *bytes, size_t count) {
    int ends[2];
    winch_guardian guardian = {.pid = -1, .line = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return guardian;
    pid_t group = getpgrp();
    pthread_mutex_t *lifeline = hold_lifeline();
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        stand_guard(lifeline, ends[0], terminal, group, modes, bytes, count);
    }
    close(ends[0]);
    if (child > 0) return (winch_guardian){.pid = child, .line = ends[1]};
    close(ends[1]);
    return guardian;
}

void winch_guardian_tell(int line, bool is_taken) {
    char byte = is_taken ? 'A' : 'D';
    winch_write_all(line, &byte, 1, 10);
}

void winch_guardian_dismiss(winch_guardian guardian) {
    if (guardian.pid < 0) return;
    close(guardian.line);
    kill(guardian.pid, SIGKILL);
    waitpid(guardian.pid, NULL, 0);
}
