// What models say of the candidates of n-best lists.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/reranking/candidate_table.h"
#include "heed/reranking/feature.h"
#include "heed/reranking/n_best_reader.h"
#include "heed_torch/translation/scorer.h"
#include "model_command.h"

namespace heed::apps {

/// N-best lists with the lines that they are translations of.
struct ListedLines {
  std::vector<reranking::NBestList> lists;
  std::vector<std::string> sources;  ///< of each list; none where no feature needs one

  size_t candidates() const;
};

class ModelFeatures {
 public:
  /// Opens the models. Throws what opening throws, ConfigError naming `option_names(kind)` for a model that is of
  /// another kind.
  ModelFeatures(std::span<const reranking::Feature> features, const ModelUse& use,
                const translation::ScorerOptions& options);

  /// Whether a model is among them that needs the source.
  bool need_source() const;
  /// One row of all features for each candidate. Throws InputError, naming `path`'s line, for a line that a model has
  /// no positions for.
  std::vector<double> of(const ListedLines& lines, const std::string& path) const;

 private:
  struct Column;
  std::vector<double> column(const Column& column, const ListedLines& lines) const;

  std::vector<Column> columns_;
};

}  // namespace heed::apps
