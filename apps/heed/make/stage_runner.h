// Runs the stages of `heed make`: each is an ordinary command of heed, which is printed, run in a process of its own
// and recorded when it is finished.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "make/child_process.h"
#include "make/make_record.h"

namespace heed::apps::make {

struct Stage {
  std::string name;
  std::string purpose;                    ///< what it does, in a few words
  std::vector<std::string> words;         ///< the command, without "heed"
  std::vector<std::string> outputs = {};  ///< files whose checksums are recorded
  std::string output_file = {};           ///< for standard output; empty: this process's standard error
  std::string log_file = {};              ///< for standard error; empty: that of this process
  std::optional<double> deadline = {};    ///< seconds of the record at which the command is asked to stop,
  std::string begun_file = {};            ///< if it has made this file
};

/// A command as a line for a shell: "heed train --model models/en-de".
std::string shell_line(const std::vector<std::string>& words);

/// A stage ended with an exit code that is not 0. The command has printed why.
class StageEnded : public std::runtime_error {
 public:
  StageEnded(const std::string& message, int code) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }
  bool is_stop() const { return code_ == kInterrupted; }

  static constexpr int kInterrupted = 130;  ///< as shells report a program that SIGINT ended

 private:
  int code_;
};

class StageRunner {
 public:
  StageRunner(MakeRecord& record, double seconds) : record_(record), seconds_(seconds) {}

  /// Runs a stage, unless it is finished. Throws StageEnded if its command fails or this process is asked to stop. A
  /// command that its deadline has stopped counts as finished.
  void run(const Stage& stage);

 private:
  void keep_time();

  MakeRecord& record_;
  double seconds_;   // of the whole
  double kept_ = 0;  // seconds when the time was written last
  StopSignals signals_;
  bool told_ = false;  // that a finished stage was passed over
};

}  // namespace heed::apps::make
