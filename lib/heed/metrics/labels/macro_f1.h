// F1 of every class of labels, with rare classes weighing as much as frequent ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The different labels of a corpus, in the order of their bytes, which is that of their code points.
class LabelInventory {
 public:
  /// Of all that stands between white space in the references and the systems' lines. Throws Error where as many
  /// numbers as `numbers_each` for every label on every line would take more memory than most machines have.
  LabelInventory(const References& references, std::span<const std::vector<std::string>> systems, size_t numbers_each);

  size_t size() const { return labels_.size(); }
  /// The place of a label that is in it.
  size_t operator[](std::string_view label) const;

 private:
  std::vector<std::string> labels_;
};

/// The mean of the F1 of all classes that occur in references or hypotheses, in percent: that of scikit-learn's
/// f1_score(average="macro", zero_division=0). A resample of the lines has the classes that occur in it. A line must
/// have as many labels as its one reference: Error. Statistics: of each label of the inventory how often the line is
/// right to have it, how often it has it, how often the reference has it.
class MacroF1 final : public Metric {
 public:
  /// For these references, and lines of these systems. Throws Error; see LabelInventory.
  MacroF1(const References& references, std::span<const std::vector<std::string>> systems);

  std::string name() const override { return "macro F1"; }
  size_t statistics_size() const override { return kNumbers * inventory_.size(); }
  std::unique_ptr<Extractor> extractor() const override;
  /// 0 without labels.
  Score score(std::span<const double> sums) const override;
  double resampled_score(std::span<const float> sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override { return {}; }
  std::string_view version() const override { return ""; }

 private:
  static constexpr size_t kNumbers = 3;  // of a class: right, found, gold
  class MacroExtractor;

  LabelInventory inventory_;
};

}  // namespace heed::metrics
