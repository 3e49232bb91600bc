// A metric of translations in sacreBLEU's shape (Post 2018, https://arxiv.org/abs/1804.08771): each segment gives a few
// numbers, its statistics, and the score of a corpus is a function of their sums. So a corpus that is resampled for a
// test of significance is scored again without its text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/error.h"
#include "heed/metrics/references.h"
#include "heed/metrics/signature.h"

namespace heed::metrics {

struct Score {
  std::string name;     ///< the metric's
  double value = 0;     ///< most metrics: 0 to 100
  std::string verbose;  ///< what the result line says behind the number; may be empty
};

/// "BLEU|SIGNATURE = 48.5 82.4/50.0/... (BP = ...)": the score with `width` decimals; without "|" when `signature` is
/// empty.
std::string result_line(const Score& score, std::string_view signature, int width = 1);

/// What is wrong in one line of a corpus; what() reads "line 3: REASON".
class LineError : public Error {
 public:
  LineError(size_t line, const std::string& reason);
  int64_t line() const { return line_; }  ///< counted from 1
  const std::string& reason() const { return reason_; }

 private:
  int64_t line_;
  std::string reason_;
};

/// Takes statistics from segments, one after the other. Holds buffers for reuse: each thread needs its own.
class Extractor {
 public:
  virtual ~Extractor() = default;
  /// Writes all statistics of a segment with one or more references; the texts are well-formed UTF-8, single lines.
  /// Throws Error where a text must have a form that it does not have.
  virtual void extract(std::string_view hypothesis, std::span<const std::string_view> references,
                       std::span<double> statistics) = 0;
};

/// The statistics of every line of a corpus, one row a line.
class CorpusStatistics {
 public:
  CorpusStatistics(size_t lines, size_t width) : lines_(lines), width_(width), values_(lines * width) {}
  size_t lines() const { return lines_; }
  size_t width() const { return width_; }
  std::span<const double> row(size_t line) const { return std::span(values_).subspan(line * width_, width_); }
  std::span<double> row(size_t line) { return std::span(values_).subspan(line * width_, width_); }
  /// All rows, one after the other.
  std::span<const double> values() const { return values_; }
  /// Added up from the first line to the last.
  std::vector<double> sums() const;

 private:
  size_t lines_;
  size_t width_;
  std::vector<double> values_;
};

/// Any number of threads may use one Metric, each with its own Extractor.
class Metric {
 public:
  virtual ~Metric() = default;
  /// "BLEU", "chrF2++", "TER"
  virtual std::string name() const = 0;
  /// How many numbers a segment gives.
  virtual size_t statistics_size() const = 0;
  /// The extractor refers to this metric.
  virtual std::unique_ptr<Extractor> extractor() const = 0;
  /// Of a segment's statistics or the sums over a corpus.
  virtual Score score(std::span<const double> sums) const = 0;
  /// score().value of sums that are float32, as sacreBLEU's resampling computes it with NumPy 1: a quotient of two of
  /// them is rounded to float32, everything else is computed in float64.
  virtual double resampled_score(std::span<const float> sums) const = 0;
  /// score().value of sums as sacreBLEU's approximate randomization computes it: as score() does, but what smoothing
  /// adds to sums of whole numbers is cut to a whole number.
  virtual double shuffled_score(std::span<const double> sums) const { return score(sums).value; }

  /// The digits behind the point that a report shows where `asked` were asked for: more where these would tell nothing.
  virtual int decimals(int asked) const { return asked; }
  /// The line that reports a score; by default result_line's.
  virtual std::string line(const Score& score, std::string_view signature, int width = 1) const;

  Signature signature(const SignatureContext& context = {}) const;
  /// The same statistics for any number of threads. As many hypotheses as references: std::logic_error. What an
  /// extractor refuses is a LineError.
  CorpusStatistics extract(std::span<const std::string> hypotheses, const References& references,
                           int64_t threads = 1) const;
  /// For one segment, as sacreBLEU's sentence_score.
  Score sentence_score(std::string_view hypothesis, std::span<const std::string> references) const;
  Score corpus_score(std::span<const std::string> hypotheses, const References& references, int64_t threads = 1) const;

 protected:
  /// The metric's own part of the signature.
  virtual std::vector<SignatureEntry> signature_entries() const = 0;
  /// Last in the signature; empty: none.
  virtual std::string_view version() const { return kSacreBleuVersion; }
};

}  // namespace heed::metrics
