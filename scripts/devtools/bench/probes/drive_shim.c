/* A drive that does not answer, or that is full, for one folder of one process (LD_PRELOAD, Linux).
 *
 * ASSETGEN_DRIVE   the folder; every call that names a file below it, or has one open, is looked at
 * ASSETGEN_DEAD    as long as this file exists such calls do not return, as on a network drive whose server is gone
 * ASSETGEN_FULL    as long as this file exists nothing more can be written there
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int is_set(const char *variable) {
    const char *flag = getenv(variable);
    return flag && syscall(SYS_faccessat, AT_FDCWD, flag, F_OK) == 0;
}

static int is_below(const char *path) {
    const char *folder = getenv("ASSETGEN_DRIVE");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_open_below(int descriptor) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static void wait_for(int concerned) {
    while (concerned && is_set("ASSETGEN_DEAD")) usleep(20000);
}

static int is_full(int descriptor) {
    if (is_set("ASSETGEN_DEAD")) wait_for(is_open_below(descriptor));
    if (is_set("ASSETGEN_FULL") && is_open_below(descriptor)) { errno = ENOSPC; return 1; }
    return 0;
}

#define OPEN(name)                                                       \
    int name(const char *path, int flags, ...) {                         \
        va_list rest; va_start(rest, flags);                             \
        int mode = va_arg(rest, int); va_end(rest);                      \
        wait_for(is_below(path));                                        \
        return REAL(name)(path, flags, mode);                            \
    }
#define OPENAT(name)                                                     \
    int name(int folder, const char *path, int flags, ...) {             \
        va_list rest; va_start(rest, flags);                             \
        int mode = va_arg(rest, int); va_end(rest);                      \
        wait_for(is_below(path));                                        \
        return REAL(name)(folder, path, flags, mode);                    \
    }
#define PATH(type, name, parameters, arguments)                          \
    type name parameters { wait_for(is_below(path)); return REAL(name) arguments; }
#define READ(type, name, parameters, arguments)                          \
    type name parameters {                                               \
        if (is_set("ASSETGEN_DEAD")) wait_for(is_open_below(file));      \
        return REAL(name) arguments;                                     \
    }
#define WRITE(type, name, parameters, arguments)                         \
    type name parameters { return is_full(file) ? -1 : REAL(name) arguments; }

OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)
PATH(FILE *, fopen, (const char *path, const char *mode), (path, mode))
PATH(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
PATH(DIR *, opendir, (const char *path), (path))
PATH(int, stat, (const char *path, struct stat *into), (path, into))
PATH(int, stat64, (const char *path, struct stat64 *into), (path, into))
PATH(int, lstat, (const char *path, struct stat *into), (path, into))
PATH(int, lstat64, (const char *path, struct stat64 *into), (path, into))
PATH(int, fstatat, (int folder, const char *path, struct stat *into, int flags), (folder, path, into, flags))
PATH(int, fstatat64, (int folder, const char *path, struct stat64 *into, int flags), (folder, path, into, flags))
PATH(int, access, (const char *path, int mode), (path, mode))
PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
PATH(int, rmdir, (const char *path), (path))
PATH(int, unlink, (const char *path), (path))
PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
PATH(ssize_t, readlink, (const char *path, char *into, size_t size), (path, into, size))
PATH(int, rename, (const char *path, const char *other), (path, other))
PATH(int, link, (const char *path, const char *other), (path, other))
READ(ssize_t, read, (int file, void *into, size_t size), (file, into, size))
READ(ssize_t, pread, (int file, void *into, size_t size, off_t at), (file, into, size, at))
READ(ssize_t, pread64, (int file, void *into, size_t size, off64_t at), (file, into, size, at))
READ(int, fsync, (int file), (file))
READ(int, fdatasync, (int file), (file))
WRITE(ssize_t, write, (int file, const void *from, size_t size), (file, from, size))
WRITE(ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at))
WRITE(ssize_t, pwrite64, (int file, const void *from, size_t size, off64_t at), (file, from, size, at))
WRITE(int, ftruncate, (int file, off_t size), (file, size))
WRITE(int, ftruncate64, (int file, off64_t size), (file, size))
