// References, systems and metrics as sacreBLEU 2.6 reads them: the same line ends, TAB-separated fields, no trailing
// white space, the same default tokenizers; and its messages about them, with its exit codes.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/sacrebleu/sacrebleu_arguments.h"
#include "heed/core/text/printable.h"
#include "heed/metrics/metric.h"

namespace heed::apps {

/// Ends the command with this exit code, after its messages were printed.
struct Stop {
  int code;
};

/// Messages on standard error.
class SacreBleuMessages {
 public:
  /// quiet: no information messages, and no prefix for warnings and errors.
  explicit SacreBleuMessages(bool quiet) : quiet_(quiet) {}

  void information(std::string_view message) const {
    if (!quiet_) warning(message);
  }
  void warning(std::string_view message) const {
    const std::string line = (quiet_ ? "" : "sacreBLEU: ") + printable_message(message) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
  /// Prints `message` and ends the command.
  [[noreturn]] void fail(std::string_view message, int code = 1) const {
    warning(message);
    throw Stop{code};
  }

 private:
  bool quiet_;
};

struct Systems {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> lines;  ///< of each system
};

/// The lines of each reference.
std::vector<std::vector<std::string>> read_sacrebleu_references(const SacreBleuArguments& arguments,
                                                                const SacreBleuMessages& messages);
Systems read_sacrebleu_systems(const SacreBleuArguments& arguments, const SacreBleuMessages& messages);
/// names: "bleu", "chrf", "ter".
std::vector<std::unique_ptr<const metrics::Metric>> make_sacrebleu_metrics(const SacreBleuArguments& arguments,
                                                                           const std::vector<std::string>& names,
                                                                           const SacreBleuMessages& messages);

}  // namespace heed::apps
