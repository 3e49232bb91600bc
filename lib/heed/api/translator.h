// A trained model for use in programs: lines in; translations, scores or alignments out, as from `heed translate`,
// `heed score` and `heed align`. A program that links only heed::heed can translate with models that the inference
// engine runs on a CPU. For other models, and for scores and alignments, link heed::heed_torch and call
// heed::use_torch() first (heed_torch/api/use_torch.h). Otherwise heed::api::NeedsTorch is thrown.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/api/constraint_options.h"
#include "heed/api/torch_backend.h"
#include "heed/model_directory/model_options.h"
#include "heed/search/sentence_beam.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/attention_selection.h"
#include "heed/translation/lines/scored_translation.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/translator.h"

namespace heed {

using text::Alignment;
using translation::ScoredTranslation;
using translation::Translation;

using api::OpenOptions;

/// How to translate lines.
struct TranslateRequest {
  config::TranslateOptions options;                             ///< beam, n-best, length penalty, batches, ...
  translation::SplitRule split = translation::SplitRule::Auto;  ///< which lines are translated sentence by sentence
  search::ReturnOptions keep = {};                              ///< what translations contain besides text and score
  translation::OnProgress on_progress = {};                     ///< may throw, which ends the translation
  api::ConstraintOptions constraints = {};                      ///< terms, forbidden phrases, minimum Bayes risk, ...
  std::vector<std::string> prefix = {};  ///< prefix of each line's translation, blank: no prefix; an empty list: no
                                         ///< prefixes at all
};

/// Several threads may use one Translator. All lines must be UTF-8; otherwise InputError names the first wrong line by
/// its number, from 1. Messages of all other errors are those that the command would print.
class Translator {
 public:
  /// Opens a model directory and checks the files' checksums. The parameters are read at the first use. Throws
  /// CheckpointError, FileError, ConfigError.
  static Translator open(const std::string& directory, const OpenOptions& options = {});
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  /// The model's default request. Change it and pass it to translate().
  TranslateRequest usual_request() const;

  /// Translates each line, in order; a blank line gives a blank translation. Throws ConfigError unless the model is a
  /// translation model.
  std::vector<Translation> translate(std::span<const std::string> lines) const;
  std::vector<Translation> translate(std::span<const std::string> lines, const TranslateRequest& request) const;
  std::vector<Translation> translate(std::initializer_list<std::string> lines) const {
    return translate(std::span(lines.begin(), lines.size()));
  }

  /// The log-probability of each target given its source. A language model has no sources and scores each target.
  /// Throws InputError if the numbers of sources and targets differ, or if a line is too long.
  std::vector<ScoredTranslation> score(std::span<const std::string> sources,
                                       std::span<const std::string> targets) const;

  /// How strongly the words of each target attend to the words of its source, in order. Throws as score() does.
  std::vector<Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets,
                               const translation::AlignerOptions& options = {}) const;

  /// The tokenizers of both sides: `tokenizers().target->piece(id)` is the piece of an id in Translation::target.
  const text::Tokenizers& tokenizers() const;

 private:
  class Model;
  explicit Translator(std::unique_ptr<Model> model);

  std::unique_ptr<Model> model_;
};

}  // namespace heed
