// `heed evaluate --reference`: scores with heed's own options, one line of text for each score.
#pragma once

#include <string>
#include <vector>

#include "evaluate/evaluate_options.h"
#include "heed/command_line/command.h"
#include "heed/metrics/reports/score_report.h"

namespace heed::apps {

/// The report on the files of translations, those of `arguments` that stand alone. Throws ConfigError for options that
/// do not go together; arguments: what `options` were read from.
std::string evaluate_with_references(const EvaluateOptions& options, const config::Arguments& arguments);

/// A metric's score of a text.
struct MeasuredText {
  metrics::Result result;
  std::string line = {};               ///< as the report has it
  std::vector<double> sentences = {};  ///< the score of each line, where `sentence_level` is asked for
};
/// The score of each metric. references: one or more lists of as many lines. Throws InputError where lines are not
/// UTF-8, or not as many.
std::vector<MeasuredText> evaluate_lines(const EvaluateOptions& options, std::vector<std::string> hypotheses,
                                         std::vector<std::vector<std::string>> references);

}  // namespace heed::apps
