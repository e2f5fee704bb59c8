/* A library for LD_PRELOAD: the wall clock is off by the seconds that the file $CLOCK holds. The monotonic clock is right.

   libfaketime moves the ends of timed waits too, so that Python's threads wait without end or not at all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long seconds_off(void) {
    char text[32] = "";
    const char *path = getenv("CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return 0;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
    return atol(text);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int ended = real(clock, now);
    if (!ended && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds_off();
    return ended;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int (*real)(struct timeval *, void *) = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
    int ended = real(now, zone);
    if (!ended && now) now->tv_sec += seconds_off();
    return ended;
}

time_t time(time_t *told) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (told) *told = now.tv_sec;
    return now.tv_sec;
}

/* The kernel knows the right time, so the end of a wait is moved back to it. */
int sem_timedwait(sem_t *restrict lock, const struct timespec *restrict until) {
    int (*real)(sem_t *, const struct timespec *) = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec right = {until->tv_sec - seconds_off(), until->tv_nsec};
    return real(lock, &right);
}
