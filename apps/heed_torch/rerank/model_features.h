// Features that models compute for the candidates of n-best lists.
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

/// N-best lists and the source lines that they translate.
struct ListedLines {
  std::vector<reranking::NBestList> lists;
  std::vector<std::string> sources;  ///< source line of each list; empty if no feature needs it

  size_t candidates() const;
};

class ModelFeatures {
 public:
  /// Opens the models. Throws what opening throws, and ConfigError, about `option_names(kind)`, if a model is of the
  /// wrong kind.
  ModelFeatures(std::span<const reranking::Feature> features, const ModelUse& use,
                const translation::ScorerOptions& options);

  /// Whether one of the models needs the source.
  bool need_source() const;
  /// One row of all features for each candidate. Throws InputError, with the line in `path`, if a model has too few
  /// positions for a line.
  std::vector<double> of(const ListedLines& lines, const std::string& path) const;

 private:
  struct Column;
  std::vector<double> column(const Column& column, const ListedLines& lines) const;

  std::vector<Column> columns_;
};

}  // namespace heed::apps
