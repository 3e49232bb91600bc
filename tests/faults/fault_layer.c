// A library for LD_PRELOAD that lets the n-th call of a kind fail on files below a folder, so that a test sees what a program
// makes of it. Without HEED_FAULT_ROOT it does nothing.
//
//   HEED_FAULT_ROOT    a folder: only calls on paths below it count (absolute, without links)
//   HEED_FAULT_CALL    open, read, write, fsync, rename, link, unlink, mkdir, truncate, mmap, close, or change: any of those
//                      that change files
//   HEED_FAULT_AT      the n-th such call, from 1; with a + behind, all later ones too
//   HEED_FAULT         the number of an error; or short: half of the bytes; kill: the process ends before the call; killafter:
//                      after it; power: what was not synchronized is gone, and the process ends
//   HEED_FAULT_COUNTS  a file that gets the number of calls of each kind, as text
//
// Power loss: directories keep every change, files only what they had at their last fsync. That is what a journaling file system
// promises, and no more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum Call { OPEN, READ, WRITE, FSYNC, RENAME, LINK, UNLINK, MKDIR, TRUNCATE, MMAP, CLOSE, CHANGE, CALLS };
static const char* const kNames[CALLS] = {"open",  "read",  "write",    "fsync", "rename", "link",
                                          "unlink", "mkdir", "truncate", "mmap",  "close",  "change"};
enum Fault { NONE, ERROR, SHORT, KILL, KILL_AFTER, POWER };

static char root[1024];
static int target = -1, later_too, error_number;
static long at;
static enum Fault fault;
static long counts[CALLS];
static const char* counts_path;
static __thread int inside;  // calls of this library's own are not the program's
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- files that were written, as they were at their last fsync

struct Written {
  ino_t inode;
  int fd;  // a duplicate, so that it can be restored
  char* synced;
  size_t size;
};
static struct Written written[4096];
static int written_count;

static void remember(struct Written* file) {
  struct stat status;
  if (syscall(SYS_fstat, file->fd, &status) != 0) return;
  char own[64];
  snprintf(own, sizeof own, "/proc/self/fd/%d", file->fd);
  const int reader = (int)syscall(SYS_openat, AT_FDCWD, own, O_RDONLY | O_CLOEXEC);
  free(file->synced);
  file->size = (size_t)status.st_size;
  file->synced = malloc(file->size + 1);
  if (reader >= 0) file->size = (size_t)syscall(SYS_pread64, reader, file->synced, file->size, 0);
  syscall(SYS_close, reader);
}

/// A file is about to be written, or has been synchronized.
static void note(int fd, int is_synced) {
  struct stat status;
  if (fault != POWER || syscall(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
  pthread_mutex_lock(&lock);
  inside = 1;
  struct Written* file = NULL;
  for (int i = 0; i < written_count; ++i) {
    if (written[i].inode == status.st_ino) file = &written[i];
  }
  const int is_new = !file;
  if (is_new && written_count < 4096) {
    file = &written[written_count++];
    file->inode = status.st_ino;
    file->fd = (int)syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 500);
  }
  if (file && (is_new || is_synced)) remember(file);
  inside = 0;
  pthread_mutex_unlock(&lock);
}

static void lose_power(void) {
  for (int i = 0; i < written_count; ++i) {
    syscall(SYS_ftruncate, written[i].fd, 0);
    for (size_t done = 0; done < written[i].size;) {
      const long more = syscall(SYS_pwrite64, written[i].fd, written[i].synced + done, written[i].size - done, done);
      if (more <= 0) break;
      done += (size_t)more;
    }
  }
}

// ---- which call is the one

static void write_counts(void) {
  if (!counts_path) return;
  char text[1024];
  int length = 0;
  for (int i = 0; i < CALLS; ++i) length += snprintf(text + length, sizeof text - (size_t)length, "%s %ld\n", kNames[i], counts[i]);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, counts_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (syscall(SYS_write, fd, text, length) != length) abort();
  syscall(SYS_close, fd);
}

static void end_process(void) {
  write_counts();
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) syscall(SYS_pause);
}

__attribute__((constructor)) static void begin(void) {
  const char* folder = getenv("HEED_FAULT_ROOT");
  if (!folder) return;
  const char *call = getenv("HEED_FAULT_CALL"), *n = getenv("HEED_FAULT_AT"), *what = getenv("HEED_FAULT");
  snprintf(root, sizeof root, "%s", folder);
  for (int i = 0; call && i < CALLS; ++i) {
    if (!strcmp(call, kNames[i])) target = i;
  }
  at = n ? atol(n) : 0;
  later_too = n && strchr(n, '+');
  counts_path = getenv("HEED_FAULT_COUNTS");
  at_quick_exit(write_counts);
  if (what) fault = !strcmp(what, "short") ? SHORT : !strcmp(what, "kill") ? KILL : !strcmp(what, "killafter") ? KILL_AFTER : !strcmp(what, "power") ? POWER : ERROR;
  error_number = what ? atoi(what) : 0;
}
__attribute__((destructor)) static void end(void) { write_counts(); }

static int is_below(const char* path) {
  const size_t length = strlen(root);
  return length > 0 && !strncmp(path, root, length) && (path[length] == '/' || path[length] == 0);
}

static int is_ours(int directory, const char* path) {
  if (inside || !root[0] || !path) return 0;
  if (path[0] == '/') return is_below(path);
  char folder[4096] = "";
  if (directory == AT_FDCWD) return syscall(SYS_getcwd, folder, sizeof folder) > 0 && is_below(folder);
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, link, folder, sizeof folder - 1);
  return length > 0 && is_below(folder);
}

static int is_our_file(int fd) {
  if (inside || !root[0]) return 0;
  char link[64], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1) > 0 && is_below(path);
}

static int is_hit(long n) { return n == at || (later_too && n > at); }

/// Counts a call on one of our files. Returns whether the fault is for it; kill and power end the process here.
static int counted(enum Call call) {
  const long n = __atomic_add_fetch(&counts[call], 1, __ATOMIC_SEQ_CST);
  int hit = (int)call == target && is_hit(n);
  if (call != READ && call != MMAP && call != CLOSE) {
    const long change = __atomic_add_fetch(&counts[CHANGE], 1, __ATOMIC_SEQ_CST);
    hit = hit || (target == CHANGE && is_hit(change));
  }
  if (!hit || fault == NONE) return 0;
  if (fault == POWER) lose_power();
  if (fault == POWER || fault == KILL) end_process();
  return 1;
}

/// For calls that either happen or fail.
#define REAL(name) static __typeof__(name)* real; if (!real) real = (__typeof__(name)*)dlsym(RTLD_NEXT, #name)
#define CALL(call, ours, failed, act)                          \
  const int hit = (ours) && counted(call);                     \
  if (hit && fault == ERROR) return errno = error_number, failed; \
  __typeof__(act) result = act;                                \
  if (hit && fault == KILL_AFTER) end_process();               \
  return result

#define OPEN_AT(name, parameters, directory, arguments)        \
  int name parameters {                                        \
    REAL(name);                                                \
    va_list more;                                              \
    va_start(more, flags);                                     \
    const mode_t mode = va_arg(more, mode_t);                  \
    va_end(more);                                              \
    const int ours = is_ours(directory, path);                 \
    const int hit = ours && counted(OPEN);                     \
    if (hit && fault == ERROR) return errno = error_number, -1; \
    const int fd = real arguments;                             \
    if (ours && fd >= 0 && (flags & O_ACCMODE) != O_RDONLY) note(fd, 0); \
    if (hit && fault == KILL_AFTER) end_process();             \
    return fd;                                                 \
  }
OPEN_AT(open, (const char* path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPEN_AT(open64, (const char* path, int flags, ...), AT_FDCWD, (path, flags, mode))
OPEN_AT(openat, (int directory, const char* path, int flags, ...), directory, (directory, path, flags, mode))
OPEN_AT(openat64, (int directory, const char* path, int flags, ...), directory, (directory, path, flags, mode))
FILE* fopen(const char* path, const char* mode) { REAL(fopen); CALL(OPEN, is_ours(AT_FDCWD, path), NULL, real(path, mode)); }
FILE* fopen64(const char* path, const char* mode) { REAL(fopen64); CALL(OPEN, is_ours(AT_FDCWD, path), NULL, real(path, mode)); }

/// For calls that move bytes: how many, or -1 for an error.
static ssize_t most_of(enum Call call, int fd, size_t size, int* hit) {
  const int ours = is_our_file(fd);
  if (ours && call == WRITE) note(fd, 0);
  *hit = ours && counted(call);
  if (!*hit || (fault != ERROR && fault != SHORT)) return (ssize_t)size;
  if (fault == SHORT) return size > 1 ? (ssize_t)(size / 2) : (ssize_t)size;
  errno = error_number;
  return -1;
}
#define MOVE(call, name, parameters, arguments)                \
  ssize_t name parameters {                                    \
    REAL(name);                                                \
    int hit;                                                   \
    const ssize_t most = most_of(call, fd, size, &hit);        \
    if (most < 0) return -1;                                   \
    const ssize_t moved = real arguments;                      \
    if (hit && fault == KILL_AFTER) end_process();             \
    return moved;                                              \
  }
MOVE(READ, read, (int fd, void* bytes, size_t size), (fd, bytes, (size_t)most))
MOVE(READ, pread, (int fd, void* bytes, size_t size, off_t offset), (fd, bytes, (size_t)most, offset))
MOVE(READ, pread64, (int fd, void* bytes, size_t size, off64_t offset), (fd, bytes, (size_t)most, offset))
MOVE(WRITE, write, (int fd, const void* bytes, size_t size), (fd, bytes, (size_t)most))
MOVE(WRITE, pwrite, (int fd, const void* bytes, size_t size, off_t offset), (fd, bytes, (size_t)most, offset))
MOVE(WRITE, pwrite64, (int fd, const void* bytes, size_t size, off64_t offset), (fd, bytes, (size_t)most, offset))
ssize_t writev(int fd, const struct iovec* parts, int count) {
  REAL(writev);
  int hit;
  const ssize_t most = most_of(WRITE, fd, 2, &hit);
  if (most < 0) return -1;
  const ssize_t moved = most < 2 && count > 0 ? syscall(SYS_write, fd, parts[0].iov_base, parts[0].iov_len / 2) : real(fd, parts, count);
  if (hit && fault == KILL_AFTER) end_process();
  return moved;
}

#define SYNC(name)                                             \
  int name(int fd) {                                           \
    REAL(name);                                                \
    const int ours = is_our_file(fd), hit = ours && counted(FSYNC); \
    if (hit && fault == ERROR) return errno = error_number, -1; \
    const int result = real(fd);                               \
    if (ours && result == 0) note(fd, 1);                      \
    if (hit && fault == KILL_AFTER) end_process();             \
    return result;                                             \
  }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char* from, const char* to) { REAL(rename); CALL(RENAME, is_ours(AT_FDCWD, to), -1, real(from, to)); }
int renameat(int a, const char* from, int b, const char* to) { REAL(renameat); CALL(RENAME, is_ours(b, to), -1, real(a, from, b, to)); }
int renameat2(int a, const char* from, int b, const char* to, unsigned int how) { REAL(renameat2); CALL(RENAME, is_ours(b, to), -1, real(a, from, b, to, how)); }
int link(const char* from, const char* to) { REAL(link); CALL(LINK, is_ours(AT_FDCWD, to), -1, real(from, to)); }
int linkat(int a, const char* from, int b, const char* to, int how) { REAL(linkat); CALL(LINK, is_ours(b, to), -1, real(a, from, b, to, how)); }
int unlink(const char* path) { REAL(unlink); CALL(UNLINK, is_ours(AT_FDCWD, path), -1, real(path)); }
int unlinkat(int folder, const char* path, int how) { REAL(unlinkat); CALL(UNLINK, is_ours(folder, path), -1, real(folder, path, how)); }
int remove(const char* path) { REAL(remove); CALL(UNLINK, is_ours(AT_FDCWD, path), -1, real(path)); }
int rmdir(const char* path) { REAL(rmdir); CALL(UNLINK, is_ours(AT_FDCWD, path), -1, real(path)); }
int mkdir(const char* path, mode_t mode) { REAL(mkdir); CALL(MKDIR, is_ours(AT_FDCWD, path), -1, real(path, mode)); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); CALL(TRUNCATE, is_our_file(fd), -1, real(fd, size)); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); CALL(TRUNCATE, is_our_file(fd), -1, real(fd, size)); }
void* mmap(void* place, size_t size, int rights, int how, int fd, off_t offset) {
  CALL(MMAP, fd >= 0 && is_our_file(fd), MAP_FAILED, (void*)syscall(SYS_mmap, place, size, rights, how, fd, offset));
}
void* mmap64(void* place, size_t size, int rights, int how, int fd, off64_t offset) { return mmap(place, size, rights, how, fd, offset); }
int close(int fd) {
  REAL(close);
  const int hit = is_our_file(fd) && counted(CLOSE);
  const int result = real(fd);
  if (hit && fault == KILL_AFTER) end_process();
  return hit && fault == ERROR ? (errno = error_number, -1) : result;
}
