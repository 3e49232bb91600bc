#include "heed_torch/config/setup/teachers.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed_torch/config/model_directory.h"

namespace heed::config {
namespace {

constexpr const char* kOption = "train.teacher";

bool is_same_vocabulary(const text::Tokenizer& ours, const text::Tokenizer& theirs) {
  if (ours.size() != theirs.size()) return false;
  for (int32_t id = 0; id < ours.size(); ++id) {
    if (ours.piece(id) != theirs.piece(id)) return false;
  }
  return true;
}

bool is_same_form(const models::VectorForm* ours, const models::VectorForm* theirs) {
  if (ours == nullptr || theirs == nullptr) return ours == theirs;
  return ours->width == theirs->width && ours->grid == theirs->grid;
}

void require_vocabulary(const text::Tokenizer& ours, const text::Tokenizer& theirs, const std::string& directory,
                        const char* side) {
  if (is_same_vocabulary(ours, theirs)) return;
  throw ConfigError(kOption,
                    fmt::format("{} has another {} vocabulary than this training: start the training with `--from "
                                "{} --from-part tokenizers`",
                                directory, side, directory));
}

void require_length(std::optional<int64_t> limit, int64_t tokens, const std::string& directory, const char* option) {
  constexpr int64_t kMark = 1;  // the source ends with eos, the target begins with bos
  if (!limit || tokens + kMark <= *limit) return;
  throw ConfigError(option, fmt::format("must be at most {}, which is what the teacher {} can read, but is {}",
                                        *limit - kMark, directory, tokens));
}

void require_fit(const OpenedModel& teacher, const PreparedRun& run, const RunOptions& options) {
  const std::string& directory = teacher.directory;
  const models::ArchitectureOptions& arch = teacher.options.arch;
  if (!arch.has_decoder() || arch.has_encoder() != options.arch.has_encoder()) {
    throw ConfigError(kOption, fmt::format("{} has another task than this training", directory));
  }
  const text::Tokenizers &ours = run.tokenizers, &theirs = teacher.tokenizers;
  if ((ours.source == nullptr) != (theirs.source == nullptr) ||
      !is_same_form(models::form_of(options.arch.vectors), models::form_of(arch.vectors))) {
    throw ConfigError(kOption, fmt::format("{} reads another kind of source than this training", directory));
  }
  if (ours.source) require_vocabulary(*ours.source, *theirs.source, directory, "source");
  require_vocabulary(*ours.target, *theirs.target, directory, "target");
  const data::CorpusOptions& lengths = options.data.corpus;
  require_length(models::max_source_length(arch), lengths.max_source_length, directory, "data.max-source-length");
  require_length(models::max_target_length(arch), lengths.max_target_length, directory, "data.max-target-length");
}

}  // namespace

void find_teachers(const RunOptions& options) {
  for (const std::string& directory : options.train.teacher) {
    std::error_code missing;
    if (std::filesystem::equivalent(directory, options.model, missing)) {
      throw ConfigError(kOption, fmt::format("{} is the model that is trained", directory));
    }
    find_model(directory, "");
  }
}

void require_fitting_teachers(const PreparedRun& run, const RunOptions& options) {
  for (const std::string& directory : options.train.teacher) require_fit(find_model(directory, ""), run, options);
}

std::vector<std::shared_ptr<models::Model>> open_teachers(const PreparedRun& run, const RunOptions& options) {
  std::vector<std::shared_ptr<models::Model>> teachers;
  for (const std::string& directory : options.train.teacher) {
    OpenedModel teacher = find_model(directory, "");
    require_fit(teacher, run, options);
    load_model(teacher, run.device);
    teachers.push_back(teacher.model);
  }
  return teachers;
}

}  // namespace heed::config
