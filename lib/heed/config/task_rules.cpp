#include "heed/config/task_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "heed/config/presets.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"

namespace heed::config {
namespace {

/// What a language model has no use for: an exact name, or a section with its dot.
constexpr auto kOfTranslation =
    std::to_array<std::string_view>({"source", "pairs", "valid-source", "valid-pairs", "text.joint",
                                     "text.source-tokenizer", "data.max-source-length", "search."});

bool is_of_translation(std::string_view name) {
  return std::ranges::any_of(kOfTranslation, [&](std::string_view listed) {
    return listed.ends_with('.') ? name.starts_with(listed) : name == listed;
  });
}

bool draws(const LearnedTokenizers& learned) {
  if (const auto* unigram = std::get_if<text::UnigramOptions>(&learned.options.type)) {
    return !std::holds_alternative<text::NoSampling>(unigram->sampling);
  }
  const auto* bpe = std::get_if<text::BpeOptions>(&learned.options.type);
  return bpe && bpe->dropout > 0;
}
bool draws(const GivenTokenizers& given) {
  return given.dropout > 0 || !std::holds_alternative<text::NoSampling>(given.sampling);
}

/// What reads its text as one.
void validate_text_context(const RunOptions& options) {
  const auto* recurrent = std::get_if<models::RnnDecoderOptions>(&options.arch.decoder.type);
  if (options.task != Task::LanguageModel || !recurrent || recurrent->stack.memory_tape) {
    throw ConfigError("data.context",
                      "must be sentence but for a language model with `arch.decoder.type` = rnn and no memory tape: "
                      "only a state of one size can be carried on");
  }
  if (std::visit([](const auto& tokenizers) { return draws(tokenizers); }, options.text.tokenizers)) {
    throw ConfigError("data.context", "must be sentence where segmentations are drawn (text.sampling, text.dropout)");
  }
  if (options.valid.batch_tokens != training::ValidationOptions{}.batch_tokens) {
    throw ConfigError("valid.batch-tokens", "has no effect with `data.context` = text, which validation reads alike");
  }
}

void validate_language_model(const RunOptions& options) {
  if (options.arch.has_encoder()) throw ConfigError("arch.encoder.type", "must be none for a language model");
  if (options.corpus.target.empty()) throw ConfigError("target", "is missing: the text of the language model");
  if (options.valid.translates()) throw ConfigError("valid.translate", "must be none for a language model");
}

}  // namespace

void validate_task(const RunOptions& options) {
  const Task made_for = preset_options(options.preset).task;
  if (options.task != made_for) {
    throw ConfigError("task", fmt::format("must be {} with the preset {}, but is {}", enum_name(made_for),
                                          enum_name(options.preset), enum_name(options.task)));
  }
  if (std::holds_alternative<data::TextContext>(options.data.stream.context)) validate_text_context(options);
  if (options.task == Task::LanguageModel) return validate_language_model(options);
  if (options.arch.has_encoder()) return;
  throw ConfigError("arch.encoder.type", "cannot be none for a translation model: `task` = language-model needs none");
}

void refuse_options_of_other_task(const RunOptions& preset, const RunOptions& options) {
  if (options.task != Task::LanguageModel) return;
  RunOptions before = preset;
  RunOptions now = options;
  for (const Difference& difference : differences(walk_of(before), walk_of(now))) {
    const bool given = !difference.after.empty();  // else it went with another alternative
    if (!given || !is_of_translation(difference.name)) continue;
    throw ConfigError(difference.name,
                      "has no effect on a language model, which learns of `target` alone: leave it out");
  }
}

}  // namespace heed::config
