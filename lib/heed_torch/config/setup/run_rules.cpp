#include "heed_torch/config/setup/run_rules.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/data/batches/augmentation.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/config/base_settings.h"
#include "heed_torch/config/setup/run_tokenizers.h"
#include "heed_torch/config/setup/training_model.h"
#include "heed_torch/config/task_rules.h"

namespace heed::config {
namespace {

void validate_text(const LearnedTokenizers& learned, const RunOptions& run) {
  const models::ArchitectureOptions& arch = run.arch;
  text::validate(learned.options);
  if (arch.tied_embeddings == models::TiedEmbeddings::All && !learned.options.joint) {
    throw ConfigError("arch.tied-embeddings",
                      "must be `decoder` or `none` with `text.joint` = false, as two vocabularies share no table, but "
                      "is `all`");
  }
}

void validate_text(const ExistingTokenizers& given, const RunOptions& run) {
  const bool of_source = run.corpus.has_source();
  const bool missing = (of_source ? given.source : given.target).empty();
  const char* option = of_source ? "text.source-tokenizer" : "text.target-tokenizer";
  if (missing) throw ConfigError(option, "is missing: name the tokenizer's file");
}

void validate_protection(const RunOptions& options) {
  if (!placeholders_of(options.text)) return;
  if (!options.corpus.has_source()) {
    throw ConfigError("text.protect", "needs pairs of text: `source` and `target`, or `pairs`");
  }
  const auto* learned = std::get_if<LearnedTokenizers>(&options.text.tokenizers);
  if (learned == nullptr) return;
  const auto& type = learned->options.type;
  if (!std::holds_alternative<text::WordsOptions>(type) && !std::holds_alternative<text::PretokenizedOptions>(type))
    return;
  throw ConfigError("text.protect",
                    "needs tokenizers that split a placeholder from what is next to it: `text.type` = unigram, "
                    "sentencepiece-bpe, bpe or characters");
}

void validate_streams(const RunOptions& options) {
  int64_t standard_inputs = 0;
  for (const auto* corpus : {&options.corpus, &options.valid_corpus}) {
    for (const auto& file : data::all_files(*corpus)) standard_inputs += file.path == "-";
  }
  if (standard_inputs > 1) throw ConfigError("standard input (-) is named twice; it can be read only once");
}

/// config.toml can only hold UTF-8.
void validate_utf8(const RunOptions& options) {
  RunOptions walked = options;
  for (const OptionValue& option : option_values(visit_options(walked))) {
    for (const std::string& text : option.values) {
      if (!first_invalid_utf8(text)) continue;
      throw ConfigError(option.name, fmt::format("must be UTF-8, but is `{}`: give the file another name, or a link "
                                                 "with another name",
                                                 replace_invalid_utf8(text)));
    }
  }
}

void validate_initial_batch(const RunOptions& options) {
  const auto* sentences = std::get_if<data::SentenceContext>(&options.data.stream.context);
  if (sentences == nullptr || !sentences->initial_step_tokens) return;
  constexpr const char* kOption = "data.initial-batch-tokens";
  if (sentences->growth_epochs == 0) throw ConfigError(kOption, "needs a data.batch-growth-epochs above 0");
  if (*sentences->initial_step_tokens <= sentences->step_tokens) return;
  throw ConfigError(kOption, fmt::format("must be at most {}, as data.batch-tokens, but is {}", sentences->step_tokens,
                                         *sentences->initial_step_tokens));
}

/// Refuses length limits for which the architecture has too few positions.
void validate_lengths(const RunOptions& options) {
  const auto check_limit = [](const char* name, int64_t tokens, int64_t added, std::optional<int64_t> positions,
                              const char* limit) {
    if (!positions || tokens + added <= *positions) return;
    throw ConfigError(name, fmt::format("must be at most {}, as the model has {} positions ({}), but is {}",
                                        *positions - added, *positions, limit, tokens));
  };
  constexpr int64_t kEnd = 1, kBegin = 1;  // the decoder does not read the end
  const data::CorpusOptions& limits = options.data.corpus;
  const auto longest = models::max_source_length(options.arch);
  const nn::MemoryAttentionOptions* attention = models::recurrent_attention(options.arch);
  const bool of_score = attention && nn::max_source(attention->score) == longest;
  check_limit("data.max-source-length", limits.max_source_length, kEnd, longest,
              of_score ? "arch.decoder.max-source" : "arch.encoder.max-length");
  check_limit("data.max-target-length", limits.max_target_length, kBegin, models::max_target_length(options.arch),
              "arch.decoder.max-length");
}

/// The options that name files of source vectors.
constexpr auto kVectorFiles = std::to_array<std::pair<const char*, std::string data::CorpusFiles::*>>({
    {"source-vectors", &data::CorpusFiles::vectors},
    {"source-images", &data::CorpusFiles::pictures},
    {"source-audio", &data::CorpusFiles::sounds},
});

/// Validation must read the same kinds of sources as training.
void validate_kinds(const data::CorpusFiles& valid, const data::CorpusFiles& trained_on) {
  if (valid.has_source() != trained_on.has_source()) {
    throw ConfigError("valid-source", "must be given if and only if `source` is");
  }
  for (const auto& [name, side] : kVectorFiles) {
    if ((valid.*side).empty() == (trained_on.*side).empty()) continue;
    throw ConfigError(fmt::format("valid-{}", name), fmt::format("must be given if and only if `{}` is", name));
  }
}

bool names_validation(const RunOptions& options) { return options.valid_corpus != data::CorpusFiles{}; }

/// Checks the options for files of pairs, and for comparing pairs with each other or with the validation text.
void validate_pairs(const RunOptions& options) {
  const data::CorpusOptions& corpus = options.data.corpus;
  const bool validates_on_pairs = !options.valid_corpus.pairs.empty();
  data::validate(corpus.format, !options.corpus.pairs.empty() || validates_on_pairs, "data.");
  if (corpus.format.bad_rows == data::BadRows::LeaveOut && validates_on_pairs && options.valid_corpus.has_vectors()) {
    throw ConfigError("data.bad-rows",
                      "must be fail where pairs of the validation text have vectors: item N is of line N");
  }
  if (corpus.filters.leaking == data::FilterAction::LeaveOut && !names_validation(options)) {
    throw ConfigError("data.leaking", "has no effect without validation text");
  }
  if (!corpus.filters.compare_lines() || !options.corpus.has_vectors()) return;
  throw ConfigError(corpus.filters.duplicates == data::FilterAction::LeaveOut ? "data.duplicates" : "data.leaking",
                    "must be keep if sources are vectors, images or audio: these are not compared");
}

void validate_augmentation(const RunOptions& options) {
  const auto* sentences = std::get_if<data::SentenceContext>(&options.data.stream.context);
  if (sentences == nullptr || !data::Augmentation(sentences->augment).any()) return;
  if (options.task == Task::Translation && options.corpus.has_source()) return;
  throw ConfigError("data.augment", "needs pairs of text: `task` = translation with `source` and `target`, or `pairs`");
}

void validate_files(const RunOptions& options) {
  data::validate(options.corpus);
  data::validate(options.data.corpus.filters);
  if (names_validation(options)) data::validate(options.valid_corpus, "valid-");
  validate_streams(options);
  validate_pairs(options);
  validate_augmentation(options);
}

/// Checks that the sources that the model reads are given.
void validate_sources(const RunOptions& options) {
  if (names_validation(options)) validate_kinds(options.valid_corpus, options.corpus);
  if (!options.corpus.sounds.empty()) media::validate(options.media.sounds);
  if (options.arch.has_encoder() && !options.corpus.has_source() && !options.corpus.has_vectors()) {
    throw ConfigError("`source` is missing: the text to translate from, or `source-vectors`");
  }
  if (options.arch.vectors.any() != options.corpus.has_vectors()) {
    throw ConfigError("arch.vectors.type", options.corpus.has_vectors()
                                               ? "cannot be none with vectors, images or audio as sources"
                                               : "must be none without `source-vectors`, images or audio");
  }
}

void validate_guided_alignment(const RunOptions& options) {
  const training::TrainOptions& train = options.train;
  if (options.corpus.alignments.empty()) {
    if (train.guided_alignment_weight == training::TrainOptions{}.guided_alignment_weight) return;
    throw ConfigError("train.guided-alignment-weight", "has no effect without `alignments`");
  }
  const auto refuse = [](const char* why) { throw ConfigError("alignments", why); };
  if (!models::has_source_attention(options.arch)) refuse("need a decoder with attention to the source");
  const nn::MemoryAttentionOptions* attention = models::recurrent_attention(options.arch);
  if (attention && !std::holds_alternative<nn::SoftAttention>(attention->function)) {
    refuse("need arch.decoder.attention-function soft: other functions give most source words the weight 0");
  }
  if (train.sampling.samples()) refuse("do not go with train.scheduled-sampling: they are of the target's words");
}

void validate_training(const RunOptions& options) {
  training::validate(options.train, options.valid, options.log, names_validation(options));
  validate_trained(options);
  const bool continuous = std::holds_alternative<data::TextContext>(options.data.stream.context);
  training::validate_readings(options.train, options.arch, continuous);
  validate_guided_alignment(options);
}

/// Checks how the model translates later. Validation's search follows from it
/// (heed_torch/training/validation_search.h).
void validate_search(const RunOptions& options) {
  search::validate(options.search.search);
  const bool recurrent = std::holds_alternative<models::RnnDecoderOptions>(options.arch.decoder.type);
  const bool attends = !recurrent || models::recurrent_attention(options.arch) != nullptr;
  if (options.search.search.coverage_penalty != 0 && !attends) {
    throw ConfigError("search.coverage-penalty",
                      "must be 0 with `arch.decoder.attention` = none: it needs attention to the source");
  }
}

}  // namespace

void validate(const RunOptions& options) {
  if (options.model.empty()) throw ConfigError("model", "is missing: name the directory for the model");
  validate_utf8(options);
  validate_base(options);
  validate_task(options);
  validate_files(options);
  validate_shuffle_buffer(options);
  validate_initial_batch(options);
  validate_sources(options);
  std::visit([&](const auto& tokenizers) { validate_text(tokenizers, options); }, options.text.tokenizers);
  validate_protection(options);
  models::validate(options.arch);
  validate(options.vectors, options.arch);
  validate_size(options);
  validate_lengths(options);
  validate_training(options);
  validate_search(options);
}

}  // namespace heed::config
