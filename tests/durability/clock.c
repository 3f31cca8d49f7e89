// Shifts what the machine's clock says by the seconds that stand in the file CLOCK_SHIFT, for one process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *said) {
    int (*machine)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = machine(clock, said);
    const char *path = getenv("CLOCK_SHIFT");
    FILE *file = clock == CLOCK_REALTIME && path ? fopen(path, "r") : NULL;
    if (file) {
        long long shift;
        if (fscanf(file, "%lld", &shift) == 1) said->tv_sec += shift;
        fclose(file);
    }
    return result;
}
