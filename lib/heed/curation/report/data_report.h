// What is known about a corpus after all of its pairs were judged.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "heed/core/random.h"
#include "heed/curation/survey/corpus_survey.h"
#include "heed/curation/survey/line_shift.h"

namespace heed::curation {

/// Counts of values in ranges of equal width. Values below and above count in the first and last range.
struct Histogram {
  double begin = 0;
  double step = 1;
  std::vector<int64_t> counts;

  Histogram(double lowest, double width, size_t ranges) : begin(lowest), step(width), counts(ranges) {}
  void add(double value);
};

struct Example {
  int64_t line = 0;
  std::string source, target;
  std::string note = {};  ///< "repeats line 12"
};

/// What a filter found.
struct Finding {
  int64_t pairs = 0;
  int64_t only = 0;  ///< which no other filter of the default set found
  std::vector<Example> examples;
  std::vector<int64_t> by_position;  ///< pairs in each of DataReport::kPositions equal parts of the corpus
};

struct SideTotals {
  int64_t words = 0;
  int64_t characters = 0;
  int64_t most_words = 0;
  int64_t most_words_line = 0;
  int64_t several_sentences = 0;  ///< lines of two or more
};

struct OverlapTotals {
  std::string name;
  int64_t pairs = 0, equal = 0, near = 0, source_only = 0;
};

class DataReport {
 public:
  static constexpr size_t kPositions = 100;
  static constexpr size_t kLengths = 30;  ///< ranges of the joint histogram of lengths, two words each

  /// names: of the files. examples: at most this many of each filter, sampled.
  DataReport(std::string names, const CorpusSurvey& survey, size_t examples, uint64_t seed);
  void add(const JudgedPair& pair);
  /// Takes the counts of the held-out texts. Call it after the last add().
  void finish(const CorpusSurvey& survey);

  std::string names;
  int64_t pairs;
  int64_t judged = 0;
  int64_t learned_pairs;
  int64_t removed = 0;  ///< by the default filters
  int64_t equal = 0;    ///< pairs whose source and target are equal
  SideTotals source, target;
  double length_ratio;  ///< the usual ratio of the target's characters to the source's
  std::array<Finding, kFilters> findings;
  std::vector<OverlapTotals> overlaps;
  Histogram source_words{0.5, 2, kLengths}, target_words{0.5, 2, kLengths};
  Histogram ratio{-1.55, 0.1, 31};  ///< of the natural logarithm of the ratio of characters
  Histogram alignment{0, 0.02, 50};
  Histogram source_language{-4, 0.2, 40}, target_language{-4, 0.2, 40};
  std::array<std::array<int64_t, kLengths>, kLengths> lengths{};  ///< [source][target]

  /// From which lines on the lines of both sides are shifted. Known after finish().
  const std::vector<LineShift>& shifts() const { return shifts_.shifts(); }
  const Finding& of(Filter filter) const { return findings[static_cast<size_t>(filter)]; }

 private:
  void add_found(const JudgedPair& pair);

  size_t examples_;
  RandomStream random_;
  LineShiftFinder shifts_;
};

/// Sentences about what concerns the text as a whole: shifted lines, equal sides.
std::vector<std::string> remarks_of(const DataReport& report);

/// The report as text for a terminal.
std::string text_report(const DataReport& report);
/// The report as a JSON object.
std::string json_report(const DataReport& report);
/// The report as a page with charts: one file without scripts, for light and dark screens.
std::string html_report(const DataReport& report);

}  // namespace heed::curation
