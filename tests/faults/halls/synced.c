/* A library for LD_PRELOAD: it copies each file of a database into the folder $SYNCED whenever the file is synced.

   That folder so holds what a disk would hold for certain after a power cut at this moment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_synced(int fd) {
    const char *folder = getenv("SYNCED");
    char link[64], path[PATH_MAX], part[PATH_MAX + 64], whole[PATH_MAX + 64], buffer[65536];
    struct stat found;
    if (!folder || fstat(fd, &found) || !S_ISREG(found.st_mode)) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    const char *name = strrchr(path, '/') + 1;
    if (!strstr(name, ".sqlite3") || strstr(name, "(deleted)")) return;
    snprintf(part, sizeof part, "%s/.%s.part", folder, name);
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    int out = open(part, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0) return;
    for (off_t at = 0; (length = pread(fd, buffer, sizeof buffer, at)) > 0; at += length)
        if (write(out, buffer, length) != length) abort();
    close(out);
    rename(part, whole);
}

int fdatasync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int ended = real(fd);
    if (!ended) copy_synced(fd);
    return ended;
}

int fsync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int ended = real(fd);
    if (!ended) copy_synced(fd);
    return ended;
}
