#define _GNU_SOURCE
#include "PowerLoss.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static const char boot_id[] = "/proc/sys/kernel/random/boot_id";

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int real_open(const char *path, int flags, mode_t mode) {
    REAL(int, "open", const char *, int, ...);
    return real(path, flags, mode);
}

static int real_link(const char *old, const char *new) {
    REAL(int, "link", const char *, const char *);
    return real(old, new);
}

/// Whether the path lies in a watched folder.
static int is_watched(const char *path) {
    const char *roots = getenv("POWER_LOSS_ROOTS");
    while (roots && *roots) {
        size_t length = strcspn(roots, ":");
        if (length > 0 && strncmp(path, roots, length) == 0 && (path[length] == '/' || path[length] == 0)) return 1;
        roots += length + (roots[length] == ':');
    }
    return 0;
}

/// The path by which a descriptor was opened.
static int path_of(int descriptor, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return 1;
}

/// An absolute path. Symbolic links are not resolved: the tested program makes none in the watched folders.
static int absolute(int folder, const char *name, char path[PATH_MAX]) {
    if (name[0] == '/') return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
    char base[PATH_MAX];
    if (folder == AT_FDCWD ? !getcwd(base, sizeof base) : !path_of(folder, base)) return 0;
    while (name[0] == '.' && name[1] == '/') name += 2;
    return snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX / 2, base, name) < PATH_MAX;
}

static const char *journal(void) {
    const char *path = getenv("POWER_LOSS_JOURNAL");
    return path ? path : "/nowhere";
}

/// A new, unused name in the journal's folder.
static void fresh(char path[PATH_MAX], const char *kind) {
    static unsigned count;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    unsigned number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    snprintf(path, PATH_MAX, "%s/%s.%d.%lld%09ld.%u", journal(), kind, getpid(), (long long)now.tv_sec, now.tv_nsec, number);
}

/// Writes a line with one write(2), so that a kill leaves no partial line.
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    char line[4 * PATH_MAX], path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (count <= 0 || (size_t)count >= sizeof line) return;
    snprintf(path, sizeof path, "%s/journal", journal());
    int file = real_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    ssize_t written = write(file, line, (size_t)count);
    (void)written;
    close(file);
}

/// Copies the present content of an open file, if watched, and adds its line of the journal to `lines`.
static void copy(int descriptor, FILE *lines) {
    char path[PATH_MAX], link[64];
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (!path_of(descriptor, path) || !is_watched(path)) return;
    // Opened anew: the descriptor may be open for writing only.
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int from = real_open(link, O_RDONLY | O_CLOEXEC, 0);
    if (from < 0) return;
    fresh(path, "copy");
    int to = real_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    static __thread char block[1 << 16];
    ssize_t count = -1;
    while (to >= 0 && (count = read(from, block, sizeof block)) > 0) {
        if (write(to, block, (size_t)count) != count) break;
    }
    if (count == 0) fprintf(lines, "S\t%llu\t%s\n", (unsigned long long)status.st_ino, strrchr(path, '/') + 1);
    if (to >= 0) close(to);
    close(from);
}

static __thread FILE *lines_of_all;

static int copy_named(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)place;
    int file = kind == FTW_F ? real_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0) : -1;
    if (file < 0) return 0;
    copy(file, lines_of_all);
    close(file);
    return 0;
}

/// Copies all watched files, and those of this process that have no name.
static void copy_all(FILE *lines) {
    lines_of_all = lines;
    const char *given = getenv("POWER_LOSS_ROOTS");
    char *roots = strdup(given ? given : ""), *rest = NULL;
    for (char *root = strtok_r(roots, ":", &rest); root; root = strtok_r(NULL, ":", &rest)) nftw(root, copy_named, 16, FTW_PHYS);
    free(roots);
    struct stat status;
    for (int descriptor = 0; descriptor < 4096; descriptor++) {
        if (fstat(descriptor, &status) == 0 && status.st_nlink == 0) copy(descriptor, lines);
    }
}

static int synced(int descriptor, int (*sync)(int), int is_all) {
    char path[PATH_MAX];
    if (!is_all && !(path_of(descriptor, path) && is_watched(path))) return sync(descriptor);
    char *text = NULL, *rest = NULL;
    size_t size = 0;
    FILE *lines = open_memstream(&text, &size);
    if (!lines) return sync(descriptor);
    // Copied before the call: bytes that are written while it runs may or may not be synced.
    if (is_all) copy_all(lines);
    else copy(descriptor, lines);
    fclose(lines);
    int result = sync(descriptor);
    int code = errno;
    if (result == 0) {
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) note("%s\n", line);
        note("M\n");
    }
    free(text);
    errno = code;
    return result;
}

int fsync(int descriptor) {
    REAL(int, "fsync", int);
    return synced(descriptor, real, 0);
}

int fdatasync(int descriptor) {
    REAL(int, "fdatasync", int);
    return synced(descriptor, real, 0);
}

int syncfs(int descriptor) {
    REAL(int, "syncfs", int);
    return synced(descriptor, real, 1);
}

static void note_named(char kind, const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0) note("%c\t%s\t%llu\n", kind, path, (unsigned long long)status.st_ino);
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    REAL(int, "openat", int, const char *, int, ...);
    const char *other = getenv("POWER_LOSS_BOOT_ID");
    if (other && path && strcmp(path, boot_id) == 0) path = other;
    char whole[PATH_MAX];
    struct stat status;
    if (!(flags & O_CREAT) || !path || !absolute(folder, path, whole) || !is_watched(whole)) return real(folder, path, flags, mode);
    pthread_mutex_lock(&guard);
    int was_there = lstat(whole, &status) == 0;
    int result = real(folder, path, flags, mode);
    if (result >= 0 && !was_there) note_named('C', whole);
    pthread_mutex_unlock(&guard);
    return result;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list arguments; \
        va_start(arguments, flags); \
        mode = va_arg(arguments, mode_t); \
        va_end(arguments); \
    }

int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags | O_LARGEFILE, mode); }

/// Keeps a link to the file that is about to lose its name; `name` becomes `-` when there is none.
static void keep(const char *path, char name[PATH_MAX]) {
    char kept[PATH_MAX];
    fresh(kept, "kept");
    snprintf(name, PATH_MAX, "%s", real_link(path, kept) == 0 ? strrchr(kept, '/') + 1 : "-");
}

/// Removes that link: the program could see it in the link count of the file, which keeps its name.
static void forget(const char *name) {
    REAL(int, "unlink", const char *);
    char kept[PATH_MAX];
    int code = errno;
    if (name[0] != '-' && snprintf(kept, sizeof kept, "%s/%.200s", journal(), name) < PATH_MAX) real(kept);
    errno = code;
}

static int renamed(int from, const char *old, int to, const char *new, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    char source[PATH_MAX], target[PATH_MAX], kept[PATH_MAX];
    if (!absolute(from, old, source) || !absolute(to, new, target) || !is_watched(target)) return real(from, old, to, new, flags);
    pthread_mutex_lock(&guard);
    struct stat status;
    int is_there = lstat(source, &status) == 0;
    keep(target, kept);
    int result = real(from, old, to, new, flags);
    if (result == 0 && is_there) note("R\t%s\t%s\t%llu\t%s\n", source, target, (unsigned long long)status.st_ino, kept);
    else forget(kept);
    pthread_mutex_unlock(&guard);
    return result;
}

int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, 0); }
int renameat(int from, const char *old, int to, const char *new) { return renamed(from, old, to, new, 0); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) { return renamed(from, old, to, new, flags); }

int linkat(int from, const char *old, int to, const char *new, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    char target[PATH_MAX];
    if (!absolute(to, new, target) || !is_watched(target)) return real(from, old, to, new, flags);
    pthread_mutex_lock(&guard);
    int result = real(from, old, to, new, flags);
    if (result == 0) note_named('L', target);
    pthread_mutex_unlock(&guard);
    return result;
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

static int removed(int folder, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    char path[PATH_MAX], kept[PATH_MAX];
    struct stat status;
    if (flags || !absolute(folder, name, path) || !is_watched(path) || lstat(path, &status) != 0) return real(folder, name, flags);
    pthread_mutex_lock(&guard);
    keep(path, kept);
    int result = real(folder, name, flags);
    if (result == 0) note("U\t%s\t%llu\t%s\n", path, (unsigned long long)status.st_ino, kept);
    else forget(kept);
    pthread_mutex_unlock(&guard);
    return result;
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *name, int flags) { return removed(folder, name, flags); }

int fremovexattr(int descriptor, const char *attribute) {
    REAL(int, "fremovexattr", int, const char *);
    char path[PATH_MAX];
    int is_ours = path_of(descriptor, path) && is_watched(path);
    int result = real(descriptor, attribute);
    if (result == 0 && is_ours) note("A\t%s\t%s\n", path, attribute);
    return result;
}
