// A trained model as a program uses it: lines in, their translations, scores or alignments out, as `heed translate`,
// `heed score` and `heed align` have them. A program that links heed::heed alone translates with the models that the
// inference engine runs on a CPU. For all others, and for scores and alignments, link heed::heed_torch and call
// heed::use_libtorch() first (heed_torch/api/use_libtorch.h); without, heed::api::NeedsTorch is thrown.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/api/constraint_options.h"
#include "heed/api/torch_backend.h"
#include "heed/model_directory/model_options.h"
#include "heed/search/running_sentence.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/scored_translation.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/shown_attention.h"
#include "heed/translation/translator.h"

namespace heed {

using text::Alignment;
using translation::ScoredTranslation;
using translation::Translation;

using api::OpenOptions;

/// How lines are translated.
struct TranslateRequest {
  config::TranslateOptions options;                             ///< beam, n-best, length penalty, batches, ...
  translation::SplitRule split = translation::SplitRule::Auto;  ///< which lines are translated sentence by sentence
  search::Keep keep = {};                                       ///< what translations have beside text and score
  translation::OnProgress on_progress = {};                     ///< may throw, which ends the translating
  api::ConstraintOptions constraints = {};                      ///< terms, forbidden phrases, minimum Bayes risk, ...
  std::vector<std::string> prefix = {};  ///< how the translation of each line begins, blank: freely; none for any
};

/// Several threads may use one Translator. Every line given must be UTF-8: InputError names the first that is not, by
/// its number from 1. The rest of what goes wrong is thrown with the sentence that the command would print.
class Translator {
 public:
  /// Opens a model directory. Its files are compared with their checksums; the parameters are read when they are first
  /// needed. Throws CheckpointError, FileError, ConfigError.
  static Translator open(const std::string& directory, const OpenOptions& options = {});
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  /// How the model translates unless told otherwise: a request to change and give to translate().
  TranslateRequest usual_request() const;

  /// The translation of each line, in order, a blank one for a blank line. Throws ConfigError unless it is a
  /// translation model.
  std::vector<Translation> translate(std::span<const std::string> lines) const;
  std::vector<Translation> translate(std::span<const std::string> lines, const TranslateRequest& request) const;
  std::vector<Translation> translate(std::initializer_list<std::string> lines) const {
    return translate(std::span(lines.begin(), lines.size()));
  }

  /// The log-probability of each target as a translation of its source; of a language model, which has no sources, that
  /// of each target. Throws InputError for another number of targets than of sources, and for a line that is too long.
  std::vector<ScoredTranslation> score(std::span<const std::string> sources,
                                       std::span<const std::string> targets) const;

  /// How much the words of each target attend to those of its source, in order. Throws as score() does.
  std::vector<Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets,
                               const translation::AlignerOptions& options = {}) const;

  /// The tokens of the two sides: `tokenizers().target->piece(id)` names an id of Translation::target.
  const text::Tokenizers& tokenizers() const;

 private:
  class Model;
  explicit Translator(std::unique_ptr<Model> model);

  std::unique_ptr<Model> model_;
};

}  // namespace heed
