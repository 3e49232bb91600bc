// Scores what a model with a head predicts of validation text, as `heed evaluate` does it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heed/metrics/references.h"
#include "heed/text/tokenizer.h"

namespace heed::training {

/// Labels: "accuracy" and "f1", in percent: the mean of the F1 of all classes; of word labels that mark spans (B-, I-,
/// ... O) the F1 of spans. Numbers: "mse" and "mae".
class PredictionScorer {
 public:
  /// references: the validation text's target. Lines that are blank do not count.
  PredictionScorer(text::TargetKind kind, const std::vector<std::string>& references);

  /// predictions: as many lines as references.
  std::map<std::string, double> scores(const std::vector<std::string>& predictions) const;

 private:
  text::TargetKind kind_;
  bool spans_;                 // whether word labels mark spans
  std::vector<size_t> lines_;  // that count
  metrics::References references_;
};

}  // namespace heed::training
