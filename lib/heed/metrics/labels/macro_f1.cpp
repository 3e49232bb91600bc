#include "heed/metrics/labels/macro_f1.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/labels/label_pair.h"
#include "heed/metrics/labels/matches.h"

namespace heed::metrics {
namespace {

constexpr size_t kMostNumbers = size_t{1} << 29;  // 4 GiB

/// The mean F1 of the classes that occur.
struct Mean {
  double sum = 0;
  double classes = 0;
  double labels = 0;

  void add(const Matches& matches) {
    if (matches.found + matches.gold == 0) return;
    sum += matches.f1();
    classes += 1;
    labels += matches.gold;
  }
  double value() const { return classes > 0 ? sum / classes : 0; }
};

Mean mean_f1(std::span<const double> sums) {
  Mean mean;
  for (size_t i = 0; i + 2 < sums.size(); i += 3) {
    mean.add({.right = sums[i], .found = sums[i + 1], .gold = sums[i + 2]});
  }
  return mean;
}

}  // namespace

LabelInventory::LabelInventory(const References& references, std::span<const std::vector<std::string>> systems,
                               size_t numbers_each) {
  std::unordered_set<std::string_view> seen;
  std::vector<std::string_view> labels;
  const auto add = [&](std::string_view line) {
    split_whitespace(line, labels);
    seen.insert(labels.begin(), labels.end());
  };
  for (size_t line = 0; line < references.size(); ++line) std::ranges::for_each(references[line], add);
  for (const std::vector<std::string>& system : systems) std::ranges::for_each(system, add);
  if (seen.size() * numbers_each > kMostNumbers / std::max<size_t>(references.size(), 1)) {
    throw Error(fmt::format("{} on {} are too many to count each", counted(std::ssize(seen), "different label"),
                            counted(static_cast<int64_t>(references.size()), "line")));
  }
  labels_.assign(seen.begin(), seen.end());
  std::ranges::sort(labels_);
}

size_t LabelInventory::operator[](std::string_view label) const {
  const auto place = std::ranges::lower_bound(labels_, label);
  check(place != labels_.end() && *place == label, "a label that is not in the inventory");
  return static_cast<size_t>(place - labels_.begin());
}

class MacroF1::MacroExtractor : public Extractor {
 public:
  explicit MacroExtractor(const LabelInventory& inventory) : inventory_(inventory) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    labels_.read(hypothesis, references);
    std::ranges::fill(statistics, 0);
    for (size_t i = 0; i < labels_.size(); ++i) {
      const size_t found = inventory_[labels_.found()[i]], gold = inventory_[labels_.gold()[i]];
      statistics[kNumbers * found] += found == gold ? 1 : 0;
      statistics[kNumbers * found + 1] += 1;
      statistics[kNumbers * gold + 2] += 1;
    }
  }

 private:
  const LabelInventory& inventory_;
  LabelPair labels_;
};

MacroF1::MacroF1(const References& references, std::span<const std::vector<std::string>> systems)
    : inventory_(references, systems, kNumbers) {}

std::unique_ptr<Extractor> MacroF1::extractor() const { return std::make_unique<MacroExtractor>(inventory_); }

double MacroF1::value(const Sums& sums) const { return mean_f1(sums.values()).value(); }

std::string MacroF1::verbose(std::span<const double> sums) const {
  const Mean mean = mean_f1(sums);
  return fmt::format("(classes = {:.0f} labels = {:.0f})", mean.classes, mean.labels);
}

}  // namespace heed::metrics
