#include "heed_torch/training/prediction_scorer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/labels/accuracy.h"
#include "heed/metrics/labels/macro_f1.h"
#include "heed/metrics/labels/span_f1.h"
#include "heed/metrics/mean_errors.h"

namespace heed::training {
namespace {

std::vector<std::string> picked(const std::vector<std::string>& lines, const std::vector<size_t>& places) {
  std::vector<std::string> found;
  for (const size_t place : places) found.push_back(lines[place]);
  return found;
}

std::vector<size_t> lines_with_text(const std::vector<std::string>& lines) {
  std::vector<size_t> places;
  for (size_t line = 0; line < lines.size(); ++line) {
    if (!strip(lines[line]).empty()) places.push_back(line);
  }
  return places;
}

/// Whether all labels are tags of spans, such as B-x, I-x and O.
bool mark_spans(const std::vector<std::string>& lines) {
  bool any = false;
  for (const std::string& line : lines) {
    for (const std::string_view label : split_whitespace(line)) {
      const bool tags = label == "O" || (label.size() > 2 && label[1] == '-' &&
                                         std::string_view("BIES").find(label[0]) != std::string_view::npos);
      if (!tags) return false;
      any = any || label != "O";
    }
  }
  return any;
}

}  // namespace

PredictionScorer::PredictionScorer(text::TargetKind kind, const std::vector<std::string>& references)
    : kind_(kind),
      spans_(kind == text::TargetKind::WordLabels && mark_spans(references)),
      lines_(lines_with_text(references)),
      references_(metrics::References::from_files({picked(references, lines_)})) {}

std::map<std::string, double> PredictionScorer::scores(const std::vector<std::string>& predictions) const {
  const std::array systems{picked(predictions, lines_)};
  const auto score = [&](const metrics::Metric& metric) { return metric.corpus_score(systems[0], references_).value; };
  if (kind_ == text::TargetKind::Numbers) {
    return {{"mse", score(metrics::MeanError(metrics::Deviation::Squared))},
            {"mae", score(metrics::MeanError(metrics::Deviation::Absolute))}};
  }
  const double f1 = spans_ ? score(metrics::SpanF1()) : score(metrics::MacroF1(references_, systems));
  return {{"accuracy", score(metrics::Accuracy())}, {"f1", f1}};
}

}  // namespace heed::training
