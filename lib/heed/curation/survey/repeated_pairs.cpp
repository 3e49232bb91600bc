#include "heed/curation/survey/repeated_pairs.h"

namespace heed::curation {
namespace {

constexpr size_t kRemembered = 10'000;  // duplicates with their first line, for messages

}  // namespace

RepeatedPairs::RepeatedPairs(const std::string& scratch, std::optional<double> near_similarity, int64_t boilerplate)
    : boilerplate_(boilerplate),
      pairs_(std::make_unique<data::RepeatedLines>(scratch)),
      sources_(std::make_unique<data::RepeatedLines>(scratch)),
      targets_(std::make_unique<data::RepeatedLines>(scratch)) {
  if (near_similarity) near_ = std::make_unique<NearDuplicates>(scratch, *near_similarity);
}

void RepeatedPairs::add(const PairKeys& keys) {
  const int64_t line = lines_++;
  if (!keys.blank) pairs_->add(keys.pair, line);
  if (keys.source != 0) sources_->add(keys.source, line);
  if (keys.target != 0) targets_->add(keys.target, line);
  if (near_) near_->add(keys.sketch);
}

void RepeatedPairs::find() {
  pairs_->find([&](int64_t first, int64_t line) {
    duplicates_.add(line);
    if (first_of_.size() < kRemembered) first_of_[line] = first;
  });
  pairs_.reset();
  find_boilerplate(*sources_);
  sources_.reset();
  find_boilerplate(*targets_);
  targets_.reset();
  if (!near_) return;
  groups_ = near_->groups();
  near_.reset();
}

/// A pair that repeats an earlier one brings no other side.
void RepeatedPairs::find_boilerplate(data::RepeatedLines& sides) {
  int64_t last_first = -1;
  std::vector<int64_t> lines;
  const auto close_group = [&] {
    if (std::ssize(lines) >= boilerplate_) {
      for (const int64_t line : lines) boilerplate_lines_.add(line);
    }
  };
  sides.find([&](int64_t first, int64_t line) {
    if (first != last_first) {
      close_group();
      lines = {first};
      last_first = first;
    }
    if (!duplicates_.contains(line)) lines.push_back(line);
  });
  close_group();
}

std::optional<int64_t> RepeatedPairs::repeated(int64_t line) const {
  const auto found = first_of_.find(line);
  if (found == first_of_.end()) return std::nullopt;
  return found->second;
}

}  // namespace heed::curation
