#include "heed_torch/config/setup/run_rules.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "heed/architecture/architecture.h"
#include "heed/core/amount.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/config/setup/training_model.h"

namespace heed::config {
namespace {

bool is_in_epochs(const std::string& value) {
  try {
    return parse_amount(value).unit == AmountUnit::Epochs;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// Refuses amounts in epochs: the share of a stream's only epoch that is done is unknown.
void refuse_epochs(const RunOptions& options) {
  if (options.train.max_epochs) {
    throw ConfigError("train.max-epochs", "must be none with `data.shuffle-buffer`: a stream is read once");
  }
  constexpr auto kAmounts =
      std::to_array<std::string_view>({"train.schedule.", "train.scheduled-sampling.", "train.r-drop-start",
                                       "train.save-every", "valid.every", "log.every"});
  RunOptions walked = options;
  for (const OptionValue& option : option_values(visit_options(walked))) {
    const bool is_amount =
        std::ranges::any_of(kAmounts, [&](std::string_view name) { return option.name.starts_with(name); });
    if (!is_amount || option.values.size() != 1 || !is_in_epochs(option.values[0])) continue;
    throw ConfigError(option.name, fmt::format("must be in steps or tokens with `data.shuffle-buffer`, as a stream is "
                                               "read once, but is {}",
                                               option.values[0]));
  }
}

/// Whether tokenizers would be learned from text without an end.
bool learns_from_all(const TextOptions& options) {
  const auto* learned = std::get_if<LearnedTokenizers>(&options.tokenizers);
  if (learned == nullptr) return false;
  const auto has_no_limit = [](const auto& type) {
    if constexpr (requires { type.subwords; }) return !type.subwords.sample_megabytes.has_value();
    return false;
  };
  return std::visit(has_no_limit, learned->options.type);
}

}  // namespace

void validate_shuffle_buffer(const RunOptions& options) {
  if (!data::shuffle_buffer_of(options.data.stream)) return;
  const auto& sentences = std::get<data::SentenceContext>(options.data.stream.context);
  const auto fail = [](const std::string& reason) {
    throw ConfigError("data.shuffle-buffer", "must be none " + reason);
  };
  const data::SentenceContext usual;
  if (sentences.shuffle_window != usual.shuffle_window) fail("with `data.shuffle-window`, which is of stored text");
  if (sentences.growth_epochs > 0) fail("with `data.batch-growth-epochs`: a stream is one epoch of unknown length");
  if (sentences.curriculum_epochs > 0) fail("with `data.curriculum-epochs`, which compares the lengths of all pairs");
  if (!sentences.mix.empty()) fail("with `data.corpus-weights`: what is mixed must be stored");
  if (options.corpus.has_vectors()) fail("with vectors, images or audio as sources: they are read from files");
  if (options.data.corpus.filters.duplicates == data::FilterAction::LeaveOut) {
    fail("with `data.duplicates` = leave-out: a stream is read once, and what was read is not kept to compare it with");
  }
  if (!writes_text(options.task)) {
    fail(fmt::format("with `task` = {}, for which the whole text is looked at before training",
                     enum_name(options.task)));
  }
  if (models::parameter_shapes(options.arch, smallest_vocabularies(options)).contains("decoder.attention.score.idf"))
    fail("with an attention that counts in how many lines a word is");
  if (learns_from_all(options.text) && !options.base.gives_tokenizers()) {
    throw ConfigError("text.sample-megabytes",
                      "must be a number with `data.shuffle-buffer`: so much of the stream is read to learn from");
  }
  refuse_epochs(options);
}

}  // namespace heed::config
