// Scores the predictions of a model with a head on validation text, as `heed evaluate` does.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "heed/architecture/head_options.h"
#include "heed/metrics/references.h"

namespace heed::training {

/// For labels: "accuracy" and "f1", in percent. F1 is the mean over all classes, or, for word labels that mark spans
/// (B-, I-, ... O), the F1 of the spans. For numbers: "mse" and "mae".
class PredictionScorer {
 public:
  /// references: the target of the validation text. Blank lines do not count.
  PredictionScorer(const models::HeadOptions& head, const std::vector<std::string>& references);

  /// predictions: one per line of the references.
  std::map<std::string, double> scores(const std::vector<std::string>& predictions) const;

 private:
  using Scores = std::map<std::string, double> (*)(const std::vector<std::string>& predictions,
                                                   const metrics::References& references);
  Scores scores_;
  std::vector<size_t> lines_;  // the lines that are not blank
  metrics::References references_;
};

}  // namespace heed::training
