#define _GNU_SOURCE
#include "System.h"
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

int winch_rename_new(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}
int winch_open_unnamed(int folder) { return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666); }
int winch_name_unnamed(int file, int folder, const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}
int winch_sync_file_system(int descriptor) { return syncfs(descriptor); }
int winch_reserve(int descriptor, int64_t offset, int64_t length) {
    return fallocate(descriptor, FALLOC_FL_KEEP_SIZE, offset, length);
}
int winch_start_writeback(int descriptor, int64_t offset, int64_t length) {
    return sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}
int winch_set_attribute(int descriptor, const char *name, const void *value, size_t length) {
    return fsetxattr(descriptor, name, value, length, 0);
}
ssize_t winch_get_attribute(int descriptor, const char *name, void *value, size_t room) {
    return fgetxattr(descriptor, name, value, room);
}
int winch_remove_attribute(int descriptor, const char *name) { return fremovexattr(descriptor, name); }
int winch_open_in_memory(const char *label) { return memfd_create(label, MFD_CLOEXEC); }

bool winch_join_thread(pthread_t thread, int milliseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += milliseconds / 1000;
    deadline.tv_nsec += milliseconds % 1000 * 1000000L;
    if (deadline.tv_nsec >= 1000000000L) {
        deadline.tv_nsec -= 1000000000L;
        deadline.tv_sec += 1;
    }
    return !pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &deadline);
}

static locale_t utf8;
static void make_utf8(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }
void winch_thread_use_utf8(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8);
    if (utf8) uselocale(utf8);
}
