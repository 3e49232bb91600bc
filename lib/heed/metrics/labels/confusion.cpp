#include "heed/metrics/labels/confusion.h"

#include <algorithm>

#include "heed/metrics/labels/label_pair.h"
#include "heed/metrics/metric.h"

namespace heed::metrics {
namespace {

using LabelCounts = std::map<std::pair<std::string, std::string>, int64_t>;  // by gold and found

LabelCounts count_labels(std::span<const std::string> hypotheses, const References& references) {
  check(hypotheses.size() == references.size(), "hypotheses and references must have as many lines");
  LabelCounts counts;
  LabelPair labels;
  for (size_t line = 0; line < hypotheses.size(); ++line) {
    try {
      labels.read(hypotheses[line], references[line]);
    } catch (const Error& error) {
      throw LineError(line + 1, error.what());
    }
    for (size_t i = 0; i < labels.size(); ++i)
      ++counts[{std::string(labels.gold()[i]), std::string(labels.found()[i])}];
  }
  return counts;
}

}  // namespace

Confusion::Confusion(std::span<const std::string> hypotheses, const References& references) {
  const LabelCounts counts = count_labels(hypotheses, references);
  std::map<std::string, size_t> places;
  for (const auto& [labels, count] : counts) places.insert({{labels.first, 0}, {labels.second, 0}});
  for (auto& [label, place] : places) {
    place = classes_.size();
    classes_.push_back(label);
  }
  matches_.resize(classes_.size());
  for (const auto& [labels, count] : counts) {
    const size_t gold = places[labels.first], found = places[labels.second];
    const auto number = static_cast<double>(count);
    counts_[{gold, found}] = count;
    matches_[gold].gold += number;
    matches_[found].found += number;
    if (gold == found) matches_[gold].right += number;
  }
}

int64_t Confusion::count(size_t gold, size_t found) const {
  const auto place = counts_.find({gold, found});
  return place == counts_.end() ? 0 : place->second;
}

std::vector<ConfusedPair> Confusion::mistakes() const {
  std::vector<ConfusedPair> mistakes;
  for (const auto& [classes, count] : counts_) {
    const auto [gold, found] = classes;
    if (gold != found) mistakes.push_back({.gold = gold, .found = found, .count = count});
  }
  std::ranges::stable_sort(mistakes, std::ranges::greater{}, &ConfusedPair::count);
  return mistakes;
}

}  // namespace heed::metrics
