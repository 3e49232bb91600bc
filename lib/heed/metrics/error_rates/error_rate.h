// Word and character error rate of transcripts; lower is better.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

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
