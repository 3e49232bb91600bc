// Scores of each line, for several systems and several metrics.
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

/// A TAB-separated table. First the signature of each metric on a line after `#`, then a line of column names, then a
/// row for each line of text: its number, from 1, and a score for each metric and system. names: of the systems.
/// worst_first: sorts the rows by the first score column; equal rows keep the order of the text.
std::string sentence_report(const std::vector<std::string>& names, const std::vector<SentenceScores>& metrics,
                            bool worst_first);

}  // namespace heed::apps
