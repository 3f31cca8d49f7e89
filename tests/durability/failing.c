// Lets one write or sync fail with EIO, for one process: the one of the number FAILING_NUMBER among those on files whose
// names end with FAILING_NAME.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int file) {
    static int counted;
    const char *ending = getenv("FAILING_NAME"), *number = getenv("FAILING_NUMBER");
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (!ending || !number || length < (ssize_t)strlen(ending)) return 0;
    name[length] = 0;
    if (strcmp(name + length - strlen(ending), ending)) return 0;
    if (__sync_add_and_fetch(&counted, 1) != atoi(number)) return 0;
    errno = EIO;
    return 1;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    ssize_t (*system)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    return fails(file) ? -1 : system(file, bytes, count, offset);
}

int fsync(int file) {
    int (*system)(int) = dlsym(RTLD_NEXT, "fsync");
    return fails(file) ? -1 : system(file);
}

int fdatasync(int file) {
    int (*system)(int) = dlsym(RTLD_NEXT, "fdatasync");
    return fails(file) ? -1 : system(file);
}
