// floor_box SCRATCH LOWER TARGET PROGRAM ARGUMENT...: a sandbox by hand, as cheap as the kernel lets it be.
// What emend promises a tree costs at least this: processes, memory, mounts and network of its own, the files
// of LOWER at TARGET to write to, a private /tmp, everything else read-only. What was written is left in
// SCRATCH/upper. Shares no code with the program.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct attributes {
  uint64_t set, clear, propagation, namespace_fd;
};

static void must(int result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "floor_box: %s: %s\n", what, strerror(errno));
  exit(125);
}

static int remove_one(const char* path, const struct stat* info, int kind, struct FTW* where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void read_only(const char* path, int yes, unsigned flags) {
  const struct attributes attributes = {yes ? 1 : 0, yes ? 0 : 1, 0, 0};
  must((int)syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes), path);
}

static void write_text(const char* path, const char* text) {
  const int file = open(path, O_WRONLY);
  must(file, path);
  must((int)write(file, text, strlen(text)), path);
  close(file);
}

static void map_own_ids(unsigned user, unsigned group) {
  char text[64];
  write_text("/proc/self/setgroups", "deny");
  snprintf(text, sizeof text, "%u %u 1", user, user);
  write_text("/proc/self/uid_map", text);
  snprintf(text, sizeof text, "%u %u 1", group, group);
  write_text("/proc/self/gid_map", text);
}

static void fresh(const char* scratch, const char* name, char* path, size_t room) {
  snprintf(path, room, "%s/%s", scratch, name);
  nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  must(mkdir(path, 0755), path);
}

static void lay_over(const char* lower, const char* upper, const char* work, const char* at, int user) {
  char options[4096];
  snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,volatile%s", lower, upper, work,
           user ? ",userxattr" : "");
  must(mount("overlay", at, "overlay", MS_NOSUID | MS_NODEV, options), at);
}

int main(int count, char** arguments) {
  if (count < 5) return fprintf(stderr, "floor_box SCRATCH LOWER TARGET PROGRAM ARGUMENT...\n"), 125;
  const char *scratch = arguments[1], *lower = arguments[2], *target = arguments[3];
  char upper[1024], work[1024], own[1024], own_work[1024];
  fresh(scratch, "upper", upper, sizeof upper);
  fresh(scratch, "work", work, sizeof work);
  fresh(scratch, "own", own, sizeof own);
  fresh(scratch, "own-work", own_work, sizeof own_work);
  const int user = geteuid() != 0;
  const unsigned user_id = getuid(), group_id = getgid();
  must(unshare(CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET | (user ? CLONE_NEWUSER : 0)),
       "unshare");
  if (user) map_own_ids(user_id, group_id);
  const pid_t child = fork();
  must(child, "fork");
  if (child > 0) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "/");
  lay_over(lower, upper, work, target, user);
  const int tree = open(target, O_PATH | O_DIRECTORY | O_CLOEXEC);
  lay_over("/tmp", own, own_work, "/tmp", user);
  char there[64];
  snprintf(there, sizeof there, "/proc/self/fd/%d", tree);
  must(mount(there, target, NULL, MS_BIND, NULL), "the tree below /tmp");
  must(mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"), "/dev/shm");
  must(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "/proc");
  read_only("/", 1, 0x8000);
  read_only("/tmp", 0, 0);
  read_only(target, 0, 0);
  read_only("/dev/shm", 0, 0);
  must(chdir(target), target);
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "privileges");
  execvp(arguments[4], arguments + 4);
  must(-1, arguments[4]);
}
