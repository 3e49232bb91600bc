// Runs a command of heed in another process, for `heed make`.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <vector>

namespace heed::apps::make {

/// SIGINT, SIGTERM and SIGCHLD wait while it exists, so that run_child() can pass them on.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  /// The signals of this process before.
  const sigset_t& before() const { return before_; }
  /// All signals that wait.
  const sigset_t& waiting() const { return waiting_; }

 private:
  sigset_t before_{}, waiting_{};
};

/// The files that a command writes to.
struct ChildFiles {
  std::string output;       ///< file for standard output; empty: that of this process
  std::string errors = {};  ///< the same for standard error
};

struct ChildEnd {
  int code = 0;          ///< the exit code; 128 + the signal that ended it
  bool stopped = false;  ///< this process was asked to stop, and has asked the command
  bool late = false;     ///< `is_late` has ended it
};

/// Runs `heed WORDS...` to its end. SIGINT and SIGTERM are passed on to it. is_late is called every second; if it
/// returns true, the command is asked to stop. If this process is killed, the command gets SIGTERM. Throws FileError.
ChildEnd run_child(const std::vector<std::string>& words, const ChildFiles& files, const StopSignals& signals,
                   const std::function<bool()>& is_late);

}  // namespace heed::apps::make
