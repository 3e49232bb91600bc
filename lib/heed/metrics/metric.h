// The interface of metrics, following sacreBLEU (Post 2018, https://arxiv.org/abs/1804.08771). Each segment gives a few
// numbers, its statistics; the score of a corpus is a function of their sums. Significance tests can therefore score
// resampled corpora without their text.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/core/error.h"
#include "heed/metrics/references.h"

namespace heed::metrics {

/// The version of sacreBLEU that scores are identical to. Signatures name it.
inline constexpr std::string_view kSacreBleuVersion = "2.6.0";

struct SignatureEntry {
  std::string key;        ///< "smooth"
  std::string short_key;  ///< "s"
  std::string value;      ///< "exp"
  bool operator==(const SignatureEntry&) const = default;
};

/// What a signature contains in addition to the settings of the metric. Absent: left out (references: "var").
struct SignatureContext {
  std::optional<int64_t> references = 1;
  std::optional<int64_t> bootstrap_samples = {};
  std::optional<int64_t> randomization_trials = {};
  std::optional<std::string> seed = {};
  std::optional<std::string> test_set = {};
  std::optional<std::string> language_pair = {};
  std::optional<std::string> original_language = {};
  std::optional<std::string> subset = {};
};

/// The signature of a score, in sacreBLEU's format and order: context, metric, version.
class Signature {
 public:
  /// version: left out if empty.
  Signature(const SignatureContext& context, std::vector<SignatureEntry> of_metric, std::string_view version);

  const std::vector<SignatureEntry>& entries() const { return entries_; }
  /// "nrefs:1|case:mixed|...|version:2.6.0"
  std::string text() const;
  /// "#:1|c:mixed|...|v:2.6.0"
  std::string short_text() const;

 private:
  std::vector<SignatureEntry> entries_;
};

struct Score {
  std::string name;     ///< the metric's
  double value = 0;     ///< most metrics: 0 to 100
  std::string verbose;  ///< printed after the score; may be empty
};

/// "BLEU|SIGNATURE = 48.5 82.4/50.0/... (BP = ...)": the score with `width` decimals; without "|" if `signature` is
/// empty.
std::string result_line(const Score& score, std::string_view signature, int width = 1);

/// An error in one line of a corpus; what() is "line 3: REASON".
class LineError : public Error {
 public:
  LineError(size_t line, const std::string& reason);
  int64_t line() const { return line_; }  ///< counted from 1
  const std::string& reason() const { return reason_; }

 private:
  int64_t line_;
  std::string reason_;
};

/// Computes the statistics of segments. Not thread-safe: it reuses its buffers.
class Extractor {
 public:
  virtual ~Extractor() = default;
  /// Writes the statistics of a segment with one or more references. All texts are single lines of well-formed UTF-8.
  /// Throws Error if a text does not have the form that the metric needs.
  virtual void extract(std::string_view hypothesis, std::span<const std::string_view> references,
                       std::span<double> statistics) = 0;
};

/// The statistics of a corpus, one row per line.
class CorpusStatistics {
 public:
  CorpusStatistics(size_t lines, size_t width) : lines_(lines), width_(width), values_(lines * width) {}
  size_t lines() const { return lines_; }
  size_t width() const { return width_; }
  std::span<const double> row(size_t line) const { return std::span(values_).subspan(line * width_, width_); }
  std::span<double> row(size_t line) { return std::span(values_).subspan(line * width_, width_); }
  /// All rows, concatenated.
  std::span<const double> values() const { return values_; }
  /// The sums over all lines, added in order.
  std::vector<double> sums() const;

 private:
  size_t lines_;
  size_t width_;
  std::vector<double> values_;
};

/// The statistics of a segment, or sums of them, as sacreBLEU computes with them. NumPy 1 keeps the type of an array,
/// so that resampled test sets are scored in another type than a corpus.
class Sums {
 public:
  enum class Type {
    Float64,  ///< of a corpus or a segment: exact
    Float32,  ///< of a bootstrap's resample: quotients and increased sums are rounded
    Int64,    ///< of a randomization's trial: increased sums are truncated to integers
  };
  Sums(std::span<const double> values, Type type = Type::Float64) : values_(values), type_(type) {}

  std::span<const double> values() const { return values_; }
  double operator[](size_t i) const { return values_[i]; }
  /// Sum `part` divided by sum `whole`.
  double quotient(size_t part, size_t whole) const {
    const double exact = values_[part] / values_[whole];
    return type_ == Type::Float32 ? as<float>(exact) : exact;
  }
  /// Sum `i` plus `added`.
  double increased(size_t i, double added) const {
    const double exact = values_[i] + added;
    if (type_ == Type::Float64) return exact;
    return type_ == Type::Float32 ? as<float>(exact) : as<int64_t>(exact);
  }

 private:
  template <class Number>
  static double as(double value) {
    return static_cast<double>(static_cast<Number>(value));
  }

  std::span<const double> values_;
  Type type_;
};

/// Thread-safe; each thread needs its own Extractor.
class Metric {
 public:
  virtual ~Metric() = default;
  /// "BLEU", "chrF2++", "TER"
  virtual std::string name() const = 0;
  /// The number of statistics per segment.
  virtual size_t statistics_size() const = 0;
  /// The extractor refers to this metric.
  virtual std::unique_ptr<Extractor> extractor() const = 0;
  /// The score's number.
  virtual double value(const Sums& sums) const = 0;
  /// What is printed after the score's number.
  virtual std::string verbose(std::span<const double> /*sums*/) const { return ""; }

  /// The number of decimals in reports if the user asks for `asked`. A metric with small values returns more.
  virtual int decimals(int asked) const { return asked; }
  /// The line that reports a score; by default that of result_line.
  virtual std::string line(const Score& score, std::string_view signature, int width = 1) const;

  Signature signature(const SignatureContext& context = {}) const;
  /// The score of a segment's statistics, or of the sums over a corpus.
  Score score(std::span<const double> sums) const;
  /// The statistics of a corpus, independent of the number of threads. Throws std::logic_error unless there are as many
  /// hypotheses as references; LineError for a line that an extractor rejects.
  CorpusStatistics extract(std::span<const std::string> hypotheses, const References& references,
                           int64_t threads = 1) const;
  /// The score of one segment, as in sacreBLEU's sentence_score.
  Score sentence_score(std::string_view hypothesis, std::span<const std::string> references) const;
  Score corpus_score(std::span<const std::string> hypotheses, const References& references, int64_t threads = 1) const;

 protected:
  /// The entries of the signature that the metric adds.
  virtual std::vector<SignatureEntry> signature_entries() const { return {}; }
  /// The last entry of the signature; empty: none.
  virtual std::string_view version() const { return ""; }
};

}  // namespace heed::metrics
