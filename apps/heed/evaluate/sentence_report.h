// Scores line by line, of several systems under several metrics.
#pragma once

#include <string>
#include <vector>

namespace heed::apps {

/// The scores of one metric.
struct SentenceScores {
  std::string name;  ///< of the metric
  std::string signature;
  int decimals = 1;
  double (*badness)(double score) = nullptr;  ///< higher for a worse score
  std::vector<std::vector<double>> systems;   ///< [system][line]
};

/// A table of columns with TABs between: the signature of each metric on a line of its own after `#`, then a line of
/// names, then a row for each line of text: its number, from 1, and a score for each metric and system. names: of the
/// systems. worst_first: orders the rows by the first column of scores; equal ones stay in the order of the text.
std::string sentence_report(const std::vector<std::string>& names, const std::vector<SentenceScores>& metrics,
                            bool worst_first);

}  // namespace heed::apps
