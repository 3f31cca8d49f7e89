// Lets the disk fail with EIO, for one process, on files whose names end with FAILING_NAME: at the one write or sync of the
// number FAILING_NUMBER, or at every one and every read while the file FAILING_WHILE is there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int file, int is_write) {
    static int counted;
    const char *ending = getenv("FAILING_NAME"), *number = getenv("FAILING_NUMBER"), *meanwhile = getenv("FAILING_WHILE");
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (!ending || length < (ssize_t)strlen(ending)) return 0;
    name[length] = 0;
    if (strcmp(name + length - strlen(ending), ending)) return 0;
    int is_one = number && is_write && __sync_add_and_fetch(&counted, 1) == atoi(number);
    if (!is_one && !(meanwhile && !access(meanwhile, F_OK))) return 0;
    errno = EIO;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*system)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    return fails(file, 1) ? -1 : system(file, bytes, count, offset);
}

int fsync(int file) {
    int (*system)(int) = dlsym(RTLD_NEXT, "fsync");
    return fails(file, 1) ? -1 : system(file);
}

int fdatasync(int file) {
    int (*system)(int) = dlsym(RTLD_NEXT, "fdatasync");
    return fails(file, 1) ? -1 : system(file);
}

ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
    ssize_t (*system)(int, void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pread64");
    return fails(file, 0) ? -1 : system(file, bytes, count, offset);
}
