#include "make/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <ctime>
#include <filesystem>

#include "heed/core/error.h"

namespace heed::apps::make {
namespace {

constexpr int kNotStarted = 127;

/// The path of this program.
std::string own_path() {
  std::error_code refused;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", refused);
  if (refused) throw FileError("/proc/self/exe", "read", refused.value());
  return path;
}

/// In the child. Returns false if the file cannot be opened.
bool redirect(const char* path, int flags, int descriptor) {
  const int opened = open(path, flags, 0666);
  return opened >= 0 && dup2(opened, descriptor) >= 0 && (opened == descriptor || close(opened) == 0);
}

/// In the child: only functions that are safe after a fork.
[[noreturn]] void become(const char* program, char* const* words, const ChildFiles& files, const sigset_t& signals,
                         pid_t parent) {
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const bool ready = getppid() == parent && redirect("/dev/null", O_RDONLY, STDIN_FILENO) &&
                     (files.output.empty() || redirect(files.output.c_str(), kWrite, STDOUT_FILENO)) &&
                     (files.errors.empty() || redirect(files.errors.c_str(), kWrite, STDERR_FILENO)) &&
                     sigprocmask(SIG_SETMASK, &signals, nullptr) == 0;
  if (ready) execv(program, words);
  _exit(kNotStarted);
}

}  // namespace

StopSignals::StopSignals() {
  sigemptyset(&waiting_);
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) sigaddset(&waiting_, signal);
  sigprocmask(SIG_BLOCK, &waiting_, &before_);
}

StopSignals::~StopSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

ChildEnd run_child(const std::vector<std::string>& words, const ChildFiles& files, const StopSignals& signals,
                   const std::function<bool()>& is_late) {
  const std::string program = own_path();
  std::vector<std::string> all{program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw FileError(program, "run", errno);
  if (child == 0) become(program.c_str(), pointers.data(), files, signals.before(), parent);
  ChildEnd end;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    const timespec second{.tv_sec = 1, .tv_nsec = 0};
    const int signal = sigtimedwait(&signals.waiting(), nullptr, &second);
    if (signal == SIGINT || signal == SIGTERM) {
      end.stopped = true;
      kill(child, signal);
    }
    if (is_late() && !end.late) {
      end.late = true;
      kill(child, SIGTERM);
    }
  }
  end.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace heed::apps::make
