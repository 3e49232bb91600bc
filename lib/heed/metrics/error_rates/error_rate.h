// Word and character error rate, which transcripts are scored by: lower is better.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

enum class ErrorUnit { Words, Characters };

/// 100 (S + D + I) / N: words (characters) that are substituted, deleted and inserted by the fewest edits, per word of
/// the reference. It may be above 100. Equal to 100 jiwer.wer and 100 jiwer.cer of jiwer 4.0.0 to the last digit, the
/// kinds of edits too. As there, nothing is lowercased and punctuation counts; words stand between spaces, and a TAB or
/// another white space stands for one only next to a second white space; characters are code points, spaces within the
/// line among them.
///
/// Of several references the one counts that gives the line the lowest rate, the first at a tie. Statistics: S, D, I,
/// N.
class ErrorRate final : public Metric {
 public:
  explicit ErrorRate(ErrorUnit unit) : unit_(unit) {}

  std::string name() const override { return unit_ == ErrorUnit::Words ? "WER" : "CER"; }
  size_t statistics_size() const override { return 4; }
  std::unique_ptr<Extractor> extractor() const override;
  /// Without anything in the references: 100 I, as jiwer has it.
  Score score(std::span<const double> sums) const override;
  double resampled_score(std::span<const float> sums) const override;

 protected:
  std::vector<SignatureEntry> signature_entries() const override { return {}; }
  std::string_view version() const override { return ""; }

 private:
  ErrorUnit unit_;
};

/// The words of a line as jiwer's default finds them; views into `text`.
void split_transcript(std::string_view text, std::vector<std::string_view>& words);

}  // namespace heed::metrics
