#include "output.h"

#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::apps {
namespace {

namespace fs = std::filesystem;

/// The name that a file will have after links are resolved.
fs::path future_name(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = fs::absolute(resolve_links(path), unknown);
  return unknown ? fs::path() : fs::weakly_canonical(whole, unknown);
}

/// Existing files are compared by identity, because of links; others by their future names. Pipes and devices never
/// match, since they can be read and written at once.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  if (fs::exists(a, missing) || fs::exists(b, missing)) {
    return fs::is_regular_file(a, missing) && fs::equivalent(a, b, missing);
  }
  const fs::path name = future_name(a);
  return !name.empty() && name == future_name(b);
}

}  // namespace

void Output::finish() {
  Output* const output = this;
  finish_all({&output, 1});
}

/// Writes everything, but does not rename the file yet.
void Output::write_end() {
  if (growing_) return growing_->finish();
  if (packer_) file_->write(packer_->finish());
  if (!file_) flush_output();
}

void finish_all(std::span<Output* const> outputs) {
  std::vector<AtomicFile*> files;
  for (Output* output : outputs) {
    output->write_end();
    if (output->file_) files.push_back(output->file_.get());
  }
  commit_all(files);
}

void require_writable(const std::string& path) { const AtomicFile not_committed(path); }

void require_other_than_inputs(const std::string& option, const std::string& output,
                               std::span<const std::string> inputs) {
  if (output == "-") return;
  for (const std::string& input : inputs) {
    const bool standard = input == "-";
    if (!same_file(output, standard ? "/dev/stdin" : input)) continue;
    throw ConfigError(option, fmt::format("must be another file than {}, which is read",
                                          standard ? "that of standard input" : "`" + input + "`"));
  }
}

void require_two_outputs(const std::string& option, const std::string& output, const std::string& other_option,
                         const std::string& other_output) {
  const auto place = [](const std::string& path) { return path == "-" ? "/dev/stdout" : path; };
  const bool both_standard = output == "-" && other_output == "-";
  if (!both_standard && !same_file(place(output), place(other_output))) return;
  throw ConfigError(option, fmt::format("must be another file than that of `{}`", other_option));
}

}  // namespace heed::apps
