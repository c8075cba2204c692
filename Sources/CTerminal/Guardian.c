#include "Bytes.h"
#include "CTerminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

// Hears of its parent's end by the end of the pipe; the last byte in it says whether the terminal was taken then.
// Between fork and exit only calls that are safe in a signal handler: the parent may have other threads.
static void stand_guard(int pipe, int terminal, pid_t group, const struct termios *modes, const char *bytes, size_t count) {
    sigset_t all;
    sigfillset(&all);
    // Among them SIGTTOU: a process in the background may set the terminal only with that blocked.
    sigprocmask(SIG_SETMASK, &all, NULL);
    setpgid(0, 0);
    prctl(PR_SET_NAME, "winch-guardian");
    dup2(pipe, STDIN_FILENO);
    dup2(terminal, STDOUT_FILENO);
    // Nobody may wait for the end of a file that only a guardian still holds.
    if (close_range(STDERR_FILENO, ~0U, 0) != 0)
        for (int descriptor = STDERR_FILENO; descriptor < 4096; descriptor++) close(descriptor);
    char state = 0, byte;
    for (ssize_t got; (got = read(STDIN_FILENO, &byte, 1)) != 0;)
        if (got > 0) state = byte;
        else if (errno != EINTR) break;
    if (state == 'A') {
        // It has time: a slow line may have to take a frame before.
        winch_write_all(STDOUT_FILENO, bytes, count, 60 * 20);
        // A shell that has taken the terminal back has set it as it wants it.
        pid_t foreground = tcgetpgrp(STDOUT_FILENO);
        if (foreground == group || foreground <= 0 || kill(-foreground, 0) != 0)
            tcsetattr(STDOUT_FILENO, TCSANOW, modes);
    }
    _exit(0);
}

int winch_guardian_start(int terminal, const struct termios *modes, const void *bytes, size_t count) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t group = getpgrp();
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        stand_guard(ends[0], terminal, group, modes, bytes, count);
    }
    close(ends[0]);
    if (child > 0) return ends[1];
    close(ends[1]);
    return -1;
}

void winch_guardian_tell(int guardian, bool is_taken) {
    char byte = is_taken ? 'A' : 'D';
    winch_write_all(guardian, &byte, 1, 10);
}
