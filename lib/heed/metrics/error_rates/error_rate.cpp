#include "heed/metrics/error_rates/error_rate.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/text/unicode.h"
#include "heed/metrics/id_table.h"

namespace heed::metrics {
namespace {

/// Removes the common prefix and the common suffix, which need no edits.
void drop_common_ends(std::span<const uint32_t>& a, std::span<const uint32_t>& b) {
  const auto begin = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  a = a.subspan(begin);
  b = b.subspan(begin);
  size_t end = 0;
  while (end < std::min(a.size(), b.size()) && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  a = a.first(a.size() - end);
  b = b.first(b.size() - end);
}

double rate(double errors, double length) { return length > 0 ? errors / length : errors; }

/// Maps the words or characters of a line to numbers.
class Units {
 public:
  explicit Units(ErrorUnit unit) : unit_(unit) {}

  void begin_segment(std::string_view hypothesis, std::span<const std::string_view> references) {
    if (unit_ == ErrorUnit::Characters) return;
    const auto most_words = [](std::string_view line) { return line.size() / 2 + 1; };
    size_t most = most_words(hypothesis);
    for (const std::string_view reference : references) most += most_words(reference);
    words_.reset(most);
  }

  void read(std::string_view line, std::vector<uint32_t>& numbers) {
    numbers.clear();
    if (unit_ == ErrorUnit::Characters) {
      to_code_points(strip(line), characters_);
      numbers.assign(characters_.begin(), characters_.end());
      return;
    }
    split_transcript(line, split_);
    for (const std::string_view word : split_) numbers.push_back(words_.insert(word));
  }

 private:
  ErrorUnit unit_;
  IdTable<std::string_view> words_;
  std::vector<std::string_view> split_;
  std::u32string characters_;
};

class ErrorExtractor : public Extractor {
 public:
  explicit ErrorExtractor(ErrorUnit unit) : units_(unit) {}

  void extract(std::string_view hypothesis, std::span<const std::string_view> references,
               std::span<double> statistics) override {
    units_.begin_segment(hypothesis, references);
    units_.read(hypothesis, hypothesis_);
    bool first = true;
    double lowest = 0;
    for (const std::string_view reference : references) {
      units_.read(reference, reference_);
      const EditCounts edits = counter_.count(hypothesis_, reference_);
      const auto length = static_cast<double>(reference_.size());
      const double found = rate(static_cast<double>(edits.total()), length);
      if (!first && found >= lowest) continue;
      first = false;
      lowest = found;
      statistics[0] = static_cast<double>(edits.substituted);
      statistics[1] = static_cast<double>(edits.deleted);
      statistics[2] = static_cast<double>(edits.inserted);
      statistics[3] = length;
    }
  }

 private:
  Units units_;
  EditCounter counter_;
  std::vector<uint32_t> hypothesis_;
  std::vector<uint32_t> reference_;
};

}  // namespace

EditCounts EditCounter::count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference) {
  drop_common_ends(hypothesis, reference);
  row_.resize(hypothesis.size() + 1);
  for (size_t h = 0; h < row_.size(); ++h) {
    const auto inserted = static_cast<int32_t>(h);
    row_[h] = {.cost = inserted, .deleted = 0, .inserted = inserted};
  }
  for (const uint32_t word : reference) fill_row(hypothesis, word);
  const Cell& all = row_.back();
  return {.substituted = all.cost - all.deleted - all.inserted, .deleted = all.deleted, .inserted = all.inserted};
}

void EditCounter::fill_row(std::span<const uint32_t> hypothesis, uint32_t reference_word) {
  Cell diagonal = row_[0];
  ++row_[0].cost;
  ++row_[0].deleted;
  for (size_t h = 1; h < row_.size(); ++h) {
    const Cell above = row_[h], left = row_[h - 1];
    const int32_t replaced = diagonal.cost + (hypothesis[h - 1] == reference_word ? 0 : 1);
    const int32_t cost = std::min({above.cost + 1, left.cost + 1, replaced});
    Cell& cell = row_[h];
    if (cost == above.cost + 1)
      cell = {.cost = cost, .deleted = above.deleted + 1, .inserted = above.inserted};
    else if (left.cost < diagonal.cost)
      cell = {.cost = cost, .deleted = left.deleted, .inserted = left.inserted + 1};
    else
      cell = {.cost = cost, .deleted = diagonal.deleted, .inserted = diagonal.inserted};
    diagonal = above;
  }
}

void split_transcript(std::string_view text, std::vector<std::string_view>& words) {
  split_whitespace(text, words);
  size_t count = 0;
  for (const std::string_view word : words) {
    if (count > 0) {
      std::string_view& last = words[count - 1];
      const std::string_view between(last.end(), word.begin());
      if (between != " " && is_character(between)) {
        last = std::string_view(last.begin(), word.end());
        continue;
      }
    }
    words[count++] = word;
  }
  words.resize(count);
}

std::unique_ptr<Extractor> ErrorRate::extractor() const { return std::make_unique<ErrorExtractor>(unit_); }

double ErrorRate::value(const Sums& sums) const { return 100 * rate(sums[0] + sums[1] + sums[2], sums[3]); }

std::string ErrorRate::verbose(std::span<const double> sums) const {
  const std::string_view unit = unit_ == ErrorUnit::Words ? "words" : "characters";
  return fmt::format("(substituted = {:.0f} deleted = {:.0f} inserted = {:.0f} {} = {:.0f})", sums[0], sums[1], sums[2],
                     unit, sums[3]);
}

}  // namespace heed::metrics
