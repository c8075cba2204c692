#define _GNU_SOURCE
#include "PowerLoss.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
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

/// A new, unused name in the journal's folder.
static void fresh(char path[PATH_MAX], const char *kind) {
    static unsigned count;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const char *journal = getenv("POWER_LOSS_JOURNAL");
    unsigned number = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
    snprintf(path, PATH_MAX, "%s/%s.%d.%lld%09ld.%u", journal ? journal : "/nowhere", kind, getpid(), (long long)now.tv_sec, now.tv_nsec, number);
}

/// Writes a line with one write(2), so that a kill leaves no partial line.
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    char line[4 * PATH_MAX], path[PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    int count = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const char *journal = getenv("POWER_LOSS_JOURNAL");
    if (!journal || count <= 0 || (size_t)count >= sizeof line) return;
    snprintf(path, sizeof path, "%s/journal", journal);
    int file = real_open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return;
    ssize_t written = write(file, line, (size_t)count);
    (void)written;
    close(file);
}

/// Copies a file's present content; `name` becomes the copy's name. Returns 0 on failure.
static int copy(int from, char name[PATH_MAX]) {
    char path[PATH_MAX];
    fresh(path, "copy");
    int to = real_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (to < 0) return 0;
    static __thread char block[1 << 16];
    off_t offset = 0;
    ssize_t count;
    while ((count = pread(from, block, sizeof block, offset)) > 0) {
        if (write(to, block, (size_t)count) != count) break;
        offset += count;
    }
    close(to);
    snprintf(name, PATH_MAX, "%s", strrchr(path, '/') + 1);
    return count == 0;
}

/// Copies an open file, if watched. The line for the journal goes to `line`, to be noted when the sync has succeeded.
static int copy_watched(int descriptor, char line[PATH_MAX]) {
    char path[PATH_MAX], name[PATH_MAX];
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    if (!path_of(descriptor, path) || !is_watched(path)) return 0;
    // Opened anew: the descriptor may be open for writing only.
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int file = real_open(link, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return 0;
    int is_done = copy(file, name);
    close(file);
    if (is_done) snprintf(line, PATH_MAX, "S\t%llu\t%.200s\n", (unsigned long long)status.st_ino, name);
    return is_done;
}

static int synced(int descriptor, int (*sync)(int)) {
    char line[PATH_MAX], path[PATH_MAX];
    int is_ours = path_of(descriptor, path) && is_watched(path);
    // Copied before the call: bytes that are written while it runs may or may not be synced.
    int is_copied = is_ours && copy_watched(descriptor, line);
    int result = sync(descriptor);
    if (result == 0 && is_ours) note("%sM\n", is_copied ? line : "");
    return result;
}

int fsync(int descriptor) {
    REAL(int, "fsync", int);
    return synced(descriptor, real);
}

int fdatasync(int descriptor) {
    REAL(int, "fdatasync", int);
    return synced(descriptor, real);
}

/// Appends to `lines` the journal's lines of all watched files below a folder.
static char *copy_below(const char *folder, char *lines) {
    DIR *stream = opendir(folder);
    if (!stream) return lines;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char path[PATH_MAX], line[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= PATH_MAX) continue;
        struct stat status;
        if (lstat(path, &status) != 0) continue;
        if (S_ISDIR(status.st_mode)) lines = copy_below(path, lines);
        if (!S_ISREG(status.st_mode)) continue;
        int file = real_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
        if (file < 0) continue;
        if (copy_watched(file, line)) {
            char *longer = NULL;
            if (asprintf(&longer, "%s%s", lines ? lines : "", line) >= 0) {
                free(lines);
                lines = longer;
            }
        }
        close(file);
    }
    closedir(stream);
    return lines;
}

/// The same for files of this process that have no name.
static char *copy_unnamed(char *lines) {
    DIR *stream = opendir("/proc/self/fd");
    if (!stream) return lines;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        char line[PATH_MAX];
        struct stat status;
        int descriptor = atoi(entry->d_name);
        if (fstat(descriptor, &status) != 0 || status.st_nlink != 0 || !copy_watched(descriptor, line)) continue;
        char *longer = NULL;
        if (asprintf(&longer, "%s%s", lines ? lines : "", line) >= 0) {
            free(lines);
            lines = longer;
        }
    }
    closedir(stream);
    return lines;
}

int syncfs(int descriptor) {
    REAL(int, "syncfs", int);
    char *lines = copy_unnamed(NULL);
    const char *roots = getenv("POWER_LOSS_ROOTS");
    while (roots && *roots) {
        char root[PATH_MAX];
        size_t length = strcspn(roots, ":");
        snprintf(root, sizeof root, "%.*s", (int)length, roots);
        lines = copy_below(root, lines);
        roots += length + (roots[length] == ':');
    }
    int result = real(descriptor);
    // One `note` for each line: together they may exceed the size of its buffer.
    for (char *line = lines; result == 0 && line && *line;) {
        size_t length = strcspn(line, "\n");
        note("%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (result == 0) note("M\n");
    free(lines);
    return result;
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
    int code = errno;
    if (result >= 0 && !was_there) note_named('C', whole);
    pthread_mutex_unlock(&guard);
    errno = code;
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

FILE *fopen(const char *path, const char *mode) {
    REAL(FILE *, "fopen", const char *, const char *);
    const char *other = getenv("POWER_LOSS_BOOT_ID");
    return real(other && strcmp(path, boot_id) == 0 ? other : path, mode);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

/// Keeps a link to the file that is about to lose its name; `name` becomes `-` when there is none.
static void keep(const char *path, char name[PATH_MAX]) {
    char kept[PATH_MAX];
    fresh(kept, "kept");
    snprintf(name, PATH_MAX, "%s", real_link(path, kept) == 0 ? strrchr(kept, '/') + 1 : "-");
}

static void forget(const char *name) {
    REAL(int, "unlink", const char *);
    char kept[PATH_MAX];
    const char *journal = getenv("POWER_LOSS_JOURNAL");
    if (journal && name[0] != '-' && snprintf(kept, sizeof kept, "%s/%.200s", journal, name) < PATH_MAX) real(kept);
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
    int code = errno;
    if (result == 0 && is_there) note("R\t%s\t%s\t%llu\t%s\n", source, target, (unsigned long long)status.st_ino, kept);
    // The file keeps its name: the additional link is removed, since the program could see it in the link count.
    else forget(kept);
    pthread_mutex_unlock(&guard);
    errno = code;
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
    int code = errno;
    if (result == 0) note_named('L', target);
    pthread_mutex_unlock(&guard);
    errno = code;
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
    int code = errno;
    if (result == 0) note("U\t%s\t%llu\t%s\n", path, (unsigned long long)status.st_ino, kept);
    else forget(kept);
    pthread_mutex_unlock(&guard);
    errno = code;
    return result;
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *name, int flags) { return removed(folder, name, flags); }

int fremovexattr(int descriptor, const char *attribute) {
    REAL(int, "fremovexattr", int, const char *);
    char path[PATH_MAX];
    int is_ours = path_of(descriptor, path) && is_watched(path);
    int result = real(descriptor, attribute);
    int code = errno;
    if (result == 0 && is_ours) note("A\t%s\t%s\n", path, attribute);
    errno = code;
    return result;
}
