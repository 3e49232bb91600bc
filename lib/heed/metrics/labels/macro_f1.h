// Macro F1: the mean F1 of all classes, in which rare classes weigh as much as frequent ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The distinct labels of a corpus, in the order of their bytes, which is that of their code points.
class LabelInventory {
 public:
  /// Takes the labels of the references and of the systems' lines, separated by white space. Throws Error if
  /// `numbers_each` numbers per label and line would take more than 4 GiB.
  LabelInventory(const References& references, std::span<const std::vector<std::string>> systems, size_t numbers_each);

  size_t size() const { return labels_.size(); }
  /// The index of a label, which must be in the inventory.
  size_t operator[](std::string_view label) const;

 private:
  std::vector<std::string> labels_;
};

/// The mean F1 of all classes in references or hypotheses, in percent; identical to scikit-learn's
/// f1_score(average="macro", zero_division=0). A resample has only the classes that occur in it. Throws Error if a line
/// does not have one reference with the same number of labels.
/// Statistics, per label of the inventory: how often it is correct in the line, how often the line has it, how often
/// the reference has it.
class MacroF1 final : public Metric {
 public:
  /// For these references and the lines of these systems. Throws Error; see LabelInventory.
  MacroF1(const References& references, std::span<const std::vector<std::string>> systems);

  std::string name() const override { return "macro F1"; }
  size_t statistics_size() const override { return kNumbers * inventory_.size(); }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without labels.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;

 private:
  static constexpr size_t kNumbers = 3;  // per class: right, found, gold
  class MacroExtractor;

  LabelInventory inventory_;
};

}  // namespace heed::metrics
