// A model that a server translates with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "heed/api/trained_model.h"
#include "heed/translation/translator.h"

namespace heed::serve {

/// How a text is translated. Lines with the same settings may be translated together.
struct TranslationSettings {
  int64_t n_best = 1;           ///< translations of each line
  std::string target_tag = {};  ///< begins each translation, but is not written: selects the target language
  bool token_scores = false;    ///< keep the log-probability of each token
  bool attention = false;       ///< keep the attention of each token
  bool operator==(const TranslationSettings&) const = default;
};

/// Threads may share it.
class ServedModel {
 public:
  /// Reads the model and its parameters. Throws CheckpointError, FileError, ConfigError; api::NeedsTorch.
  ServedModel(const std::string& directory, const api::OpenOptions& options);

  /// A translator of lines, which works in the thread that calls it. Throws ConfigError if the settings do not fit the
  /// model.
  translation::Translator translator(const TranslationSettings& settings) const;
  /// Whether lines of several requests may be translated together: each has the same translation in every batch.
  bool mixes_requests() const;
  const text::Tokenizers& tokenizers() const { return tokenizers_; }

 private:
  std::unique_ptr<api::TrainedModel> trained_;
  std::shared_ptr<const translation::TranslationModel> model_;
  config::ModelOptions options_;
  text::Tokenizers tokenizers_;
  std::optional<int64_t> usual_source_length_;
};

}  // namespace heed::serve
