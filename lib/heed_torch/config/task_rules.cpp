#include "heed_torch/config/task_rules.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed_torch/config/presets.h"

namespace heed::config {
namespace {

/// Options that a language model does not use: an exact name, or a section with its dot.
constexpr auto kOfTranslation = std::to_array<std::string_view>({"source",
                                                                 "source-vectors",
                                                                 "source-images",
                                                                 "source-audio",
                                                                 "pairs",
                                                                 "alignments",
                                                                 "valid-source",
                                                                 "valid-source-vectors",
                                                                 "valid-source-images",
                                                                 "valid-source-audio",
                                                                 "valid-pairs",
                                                                 "text.joint",
                                                                 "text.source-tokenizer",
                                                                 "text.source-normalizer",
                                                                 "data.max-source-length",
                                                                 "data.max-length-ratio",
                                                                 "data.identical-sides",
                                                                 "data.source-script",
                                                                 "data.augment",
                                                                 "text.protect",
                                                                 "text.protect-patterns",
                                                                 "train.guided-alignment-weight",
                                                                 "search."});

/// Options that a model with a head does not use.
constexpr auto kOfText = std::to_array<std::string_view>(
    {"text.joint", "text.target-vocab-size", "text.target-normalizer", "text.target-tokenizer",
     "data.max-target-length", "data.max-length-ratio", "data.identical-sides", "data.target-script", "text.protect",
     "text.protect-patterns", "data.augment", "vectors.target", "search.", "train.teacher", "train.teacher-weight",
     "train.teacher-temperature", "train.minimum-risk.", "alignments", "train.guided-alignment-weight"});

/// Options that a model does not use if its source is only vectors and its target is not text.
constexpr auto kOfTokenizers =
    std::to_array<std::string_view>({"text.", "vectors.", "arch.word-dropout", "train.r-drop-cutoff."});

constexpr auto kOfPictures = std::to_array<std::string_view>({"images."});
constexpr auto kOfSounds = std::to_array<std::string_view>({"audio."});

bool is_listed(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::any_of(names, [&](std::string_view listed) {
    return listed.ends_with('.') ? name.starts_with(listed) : name == listed;
  });
}

bool has_head(Task task) { return !writes_text(task); }

/// The head of a task that has one.
models::HeadOptions head_of(Task task) {
  if (task == Task::Classification) return {.type = models::ClassHeadOptions{}};
  if (task == Task::Labelling) return {.type = models::LabelHeadOptions{}};
  return {.type = models::NumberHeadOptions{}};
}

std::string name_of_head(const models::HeadOptions& head) {
  return std::visit([](const auto& options) { return std::string(options.kName); }, head.type);
}

training::ValidationMetric metric_of(Task task) {
  return task == Task::Regression ? training::ValidationMetric::Mse : training::ValidationMetric::Accuracy;
}

bool draws(const LearnedTokenizers& learned) {
  if (const auto* unigram = std::get_if<text::UnigramOptions>(&learned.options.type)) {
    return !std::holds_alternative<text::NoSampling>(unigram->sampling);
  }
  const auto* bpe = std::get_if<text::BpeOptions>(&learned.options.type);
  return bpe && bpe->dropout > 0;
}
bool draws(const ExistingTokenizers& given) {
  return given.dropout > 0 || !std::holds_alternative<text::NoSampling>(given.sampling);
}

/// Checks that the model can read its text as one.
void validate_text_context(const RunOptions& options) {
  const auto* recurrent = std::get_if<models::RnnDecoderOptions>(&options.arch.decoder.type);
  if (options.task != Task::LanguageModel || !recurrent || recurrent->stack.memory_tape) {
    throw ConfigError("data.context",
                      "must be sentence, except for a language model with `arch.decoder.type` = rnn and no memory "
                      "tape: only a state of fixed size can be carried from line to line");
  }
  if (std::visit([](const auto& tokenizers) { return draws(tokenizers); }, options.text.tokenizers)) {
    throw ConfigError("data.context", "must be sentence if segmentations are sampled (text.sampling, text.dropout)");
  }
  if (options.corpus.has_weights()) {
    throw ConfigError("data.context",
                      "must be sentence where sentences have weights: a text that is read as one has none");
  }
  if (options.valid.batch_tokens != training::ValidationOptions{}.batch_tokens) {
    throw ConfigError("valid.batch-tokens", "has no effect with `data.context` = text, which validation uses too");
  }
}

void validate_language_model(const RunOptions& options) {
  if (options.arch.has_encoder()) throw ConfigError("arch.encoder.type", "must be none for a language model");
  if (options.corpus.target.empty()) throw ConfigError("target", "is missing: the text of the language model");
  if (options.valid.translates()) throw ConfigError("valid.translate", "must be none for a language model");
}

void validate_head(const RunOptions& options) {
  if (options.arch.head.type.index() != head_of(options.task).type.index()) {
    throw ConfigError("arch.head.type", fmt::format("must be {} with `task` = {}", name_of_head(head_of(options.task)),
                                                    enum_name(options.task)));
  }
  if (options.valid.translates())
    throw ConfigError("valid.translate",
                      "must be none with a head: the model writes no "
                      "text");
  const bool of_numbers = options.task == Task::Regression;
  const training::ValidationMetric metric = options.valid.metric;
  if (training::is_of_translations(metric) || (of_numbers ? training::is_of_labels : training::is_of_numbers)(metric) ||
      (of_numbers && metric == training::ValidationMetric::Perplexity)) {
    throw ConfigError("valid.metric", fmt::format("must be {} with `task` = {}, but is {}",
                                                  of_numbers ? "loss, mse or mae" : "loss, perplexity, accuracy or f1",
                                                  enum_name(options.task), enum_name(metric)));
  }
  const auto* labels = std::get_if<models::LabelHeadOptions>(&options.arch.head.type);
  const bool scores_alone = options.task != Task::Regression && !(labels && labels->crf);
  const char* reason = labels ? "with arch.head.crf" : "with numbers";
  if (!scores_alone && options.train.label_smoothing > 0) {
    throw ConfigError("train.label-smoothing", fmt::format("must be 0 {}", reason));
  }
  if (!scores_alone && options.train.r_drop > 0) {
    throw ConfigError("train.r-drop", fmt::format("must be 0 {}", reason));
  }
}

/// Options without effect, and why.
struct Unused {
  std::span<const std::string_view> names;
  const char* reason;
};

std::vector<Unused> unused_options(const RunOptions& options) {
  std::vector<Unused> unused;
  if (options.corpus.pictures.empty()) unused.push_back({kOfPictures, "has no effect without `source-images`"});
  if (options.corpus.sounds.empty()) unused.push_back({kOfSounds, "has no effect without `source-audio`"});
  if (options.task == Task::LanguageModel) {
    unused.push_back(
        {kOfTranslation, "has no effect on a language model, which learns only from `target`: leave it out"});
  }
  if (!has_head(options.task)) return unused;
  unused.push_back({kOfText, "has no effect on a model that writes no text: leave it out"});
  if (!options.corpus.has_source()) {
    unused.push_back({kOfTokenizers, "has no effect where neither source nor target is text: leave it out"});
  }
  return unused;
}

}  // namespace

void adjust_to_task(RunOptions& preset, Task task) {
  if (!has_head(task) || preset.task != Task::Translation) return;
  preset.task = task;
  preset.arch.decoder.type = models::NoDecoderOptions{};
  preset.arch.head = head_of(task);
  preset.arch.tied_embeddings = models::TiedEmbeddings::None;
  preset.arch.output_bias = true;
  preset.train.label_smoothing = 0;
  preset.valid.translate = training::NoTranslation{};
  preset.valid.metric = metric_of(task);
}

void validate_task(const RunOptions& options) {
  Task made_for = preset_options(options.preset).task;
  if (has_head(options.task) && made_for == Task::Translation) made_for = options.task;
  if (options.task != made_for) {
    throw ConfigError("task", fmt::format("must be {} with the preset {}, but is {}", enum_name(made_for),
                                          enum_name(options.preset), enum_name(options.task)));
  }
  if (std::holds_alternative<data::TextContext>(options.data.stream.context)) validate_text_context(options);
  if (options.task == Task::LanguageModel) return validate_language_model(options);
  if (has_head(options.task)) return validate_head(options);
  if (!options.arch.has_decoder()) {
    throw ConfigError("arch.decoder.type",
                      "cannot be none for a translation model: the tasks classification, "
                      "labelling and regression need none");
  }
  if (options.arch.has_encoder()) return;
  throw ConfigError("arch.encoder.type", "cannot be none for a translation model: `task` = language-model needs none");
}

void refuse_options_of_other_task(const RunOptions& preset, const RunOptions& options) {
  const std::vector<Unused> unused = unused_options(options);
  RunOptions before = preset;
  RunOptions now = options;
  for (const Difference& difference : differences(visit_options(before), visit_options(now))) {
    const bool given = !difference.after.empty();  // otherwise it went with another alternative
    if (!given) continue;
    for (const auto& [names, reason] : unused) {
      if (is_listed(names, difference.name)) throw ConfigError(difference.name, reason);
    }
  }
}

}  // namespace heed::config
