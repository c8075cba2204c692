#include "CTerminal.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

static sigset_t set_of(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
    return set;
}

int winch_output_flush(void) {
    if (fflush(stdout) != 0) return errno;
    // An earlier write may have failed; its errno is lost.
    return ferror(stdout) ? EIO : 0;
}

int winch_signals_open(const int *signals, size_t count) {
    sigset_t set = set_of(signals, count);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int winch_signals_next(int descriptor) {
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int winch_signals_block(const int *signals, size_t count, bool blocked) {
    sigset_t set = set_of(signals, count);
    return pthread_sigmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

bool winch_signal_is_ignored(int signal_number) {
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int winch_terminal_size(int descriptor, int *rows, int *columns) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return 0;
}

bool winch_memory_return_large(void) {
#ifdef M_MMAP_THRESHOLD
    // With the first alone, the end of the heap is given back from 128 KiB on: each small file would ask for its buffers' pages anew.
    return mallopt(M_MMAP_THRESHOLD, 1 << 20) == 1 && mallopt(M_TRIM_THRESHOLD, 1 << 20) == 1;
#else
    return false;
#endif
}

void winch_memory_return_freed(void) {
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
}

static int release_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        // Never written, so every page equals the file's.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        uintptr_t end = (begin + segment->p_memsz + page - 1) & ~(page - 1);
        begin &= ~(page - 1);
        madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void winch_memory_release_code(void) { dl_iterate_phdr(release_code, NULL); }
