// Word and character error rate of transcripts; lower is better.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// The edits that turn a reference into a hypothesis.
struct EditCounts {
  int64_t substituted = 0;
  int64_t deleted = 0;   ///< words of the reference that the hypothesis lacks
  int64_t inserted = 0;  ///< words of the hypothesis that the reference lacks
  int64_t total() const { return substituted + deleted + inserted; }
};

/// Finds the smallest number of edits (Levenshtein 1966) by dynamic programming, keeping one row of the table: time
/// O(product of the lengths), memory O(length of the hypothesis). Not thread-safe: it reuses its buffers.
///
/// Several sequences of edits may be shortest but differ in their types. The counted one is traced backwards through
/// the table: it deletes if that is optimal; else inserts if the cell to the left costs less than the diagonal one;
/// else keeps or substitutes. RapidFuzz, whose counts jiwer reports, uses the same rule.
class EditCounter {
 public:
  EditCounts count(std::span<const uint32_t> hypothesis, std::span<const uint32_t> reference);

 private:
  struct Cell {
    int32_t cost = 0;
    int32_t deleted = 0;
    int32_t inserted = 0;
  };
  void fill_row(std::span<const uint32_t> hypothesis, uint32_t reference_word);

  std::vector<Cell> row_;  // for the reference's words so far; one cell per prefix of the hypothesis
};

enum class ErrorUnit { Words, Characters };

/// 100 (S + D + I) / N: the words (characters) substituted, deleted and inserted by the fewest edits, per word
/// (character) of the reference. It may exceed 100. It equals 100 jiwer.wer and 100 jiwer.cer of jiwer 4.0.0 to the
/// last digit, including the types of edits.
/// As in jiwer, case and punctuation count. Words are separated by spaces; other white space, such as TAB, separates
/// words only next to a second white space. Characters are code points, including spaces within the line.
///
/// Of several references, the one with the lowest rate for the line counts; ties: the first one. Statistics: S, D, I,
/// N.
class ErrorRate final : public Metric {
 public:
  explicit ErrorRate(ErrorUnit unit) : unit_(unit) {}

  std::string name() const override { return unit_ == ErrorUnit::Words ? "WER" : "CER"; }
  size_t statistics_size() const override { return 4; }
  std::unique_ptr<Extractor> extractor() const override;
  /// If the references are empty: 100 I, as in jiwer.
  double value(const Sums& sums) const override;
  std::string verbose(std::span<const double> sums) const override;

 private:
  ErrorUnit unit_;
};

/// The words of a line, as split by jiwer's default; views into `text`.
void split_transcript(std::string_view text, std::vector<std::string_view>& words);

}  // namespace heed::metrics
