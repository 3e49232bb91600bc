// `heed evaluate --reference`: scores with heed's own options, one line of text per score.
#pragma once

#include <string>
#include <vector>

#include "evaluate/evaluate_options.h"
#include "heed/command_line/command.h"
#include "heed/metrics/reports/score_report.h"

namespace heed::apps {

/// The report on the files of translations, which are the positional `arguments`. Throws ConfigError for conflicting
/// options. arguments: those that `options` were read from.
std::string evaluate_with_references(const EvaluateOptions& options, const config::Arguments& arguments);

/// A metric's score of a text.
struct MeasuredText {
  metrics::Result result;
  std::string line = {};               ///< as in the report
  std::vector<double> sentences = {};  ///< the score of each line, if `sentence_level` is set
};
/// The score of each metric. references: one or more lists of reference lines. Throws InputError if lines are not UTF-8
/// or the numbers of lines differ.
std::vector<MeasuredText> evaluate_lines(const EvaluateOptions& options, std::vector<std::string> hypotheses,
                                         std::vector<std::vector<std::string>> references);

}  // namespace heed::apps
