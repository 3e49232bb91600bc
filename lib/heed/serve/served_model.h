// A model that a server translates with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heed/api/trained_model.h"
#include "heed/engine/common/encoder_decoder.h"
#include "heed/translation/translator.h"

namespace heed::translation {
class EngineModel;
}

namespace heed::serve {

/// How a text is translated. Lines with the same settings may be translated together.
struct TranslationSettings {
  int64_t n_best = 1;           ///< translations of each line
  std::string target_tag = {};  ///< begins each translation, but is not written: selects the target language
  bool token_scores = false;    ///< keep the log-probability of each token
  bool attention = false;       ///< keep the attention of each token
  std::vector<std::pair<std::string, std::string>> terms = {};  ///< where a line has the first, write the second
  bool operator==(const TranslationSettings&) const = default;
};

/// Threads may share it.
class ServedModel {
 public:
  /// Reads the model and its parameters. Throws CheckpointError, FileError, ConfigError; api::NeedsTorch.
  ServedModel(const std::string& directory, const api::OpenOptions& options);

  /// A translator of lines, which works in the thread that calls it. model: what it searches with instead of model().
  /// Throws ConfigError if the settings do not fit the model; Error if its vocabulary cannot spell a term.
  translation::Translator translator(const TranslationSettings& settings,
                                     std::shared_ptr<const translation::TranslationModel> model = nullptr) const;
  /// Whether it searches by beam search, and does not sample.
  bool has_beam_search() const;
  /// The hypotheses of a search.
  int64_t beam(const TranslationSettings& settings) const;
  /// The tokens of the tag.
  text::Ids tag_of(const TranslationSettings& settings) const;
  /// Whether lines of several requests may be translated together: each has the same translation in every batch.
  bool mixes_requests() const;
  const text::Tokenizers& tokenizers() const { return tokenizers_; }
  const std::shared_ptr<const translation::TranslationModel>& model() const { return model_; }
  const models::ArchitectureOptions& architecture() const { return options_.arch; }
  /// The layers and heads whose attention can be shown, without weights of a text; empty for models on LibTorch.
  const engine::AttentionRecord& attention_shape() const { return attention_shape_; }
  /// The attention of every layer and head that reads a translation of one part, tag included.
  engine::AttentionRecord read_attention(const translation::Translation& translation, const text::Ids& tag) const;

 private:
  const translation::EngineModel* engine_model() const;
  std::shared_ptr<const translation::TranslationConstraints> constraints_of(const TranslationSettings& settings) const;

  std::unique_ptr<api::TrainedModel> trained_;
  std::shared_ptr<const translation::TranslationModel> model_;
  config::ModelOptions options_;
  text::Tokenizers tokenizers_;
  std::optional<int64_t> usual_source_length_;
  engine::AttentionRecord attention_shape_;
};

}  // namespace heed::serve
