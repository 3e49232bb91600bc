#include "heed_torch/training/prediction_scorer.h"

#include <algorithm>
#include <array>
#include <variant>

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

using Lines = std::vector<std::string>;
using Named = std::map<std::string, double>;

double score(const metrics::Metric& metric, const Lines& predictions, const metrics::References& references) {
  return metric.corpus_score(predictions, references).value;
}

Named scores_of_labels(const Lines& predictions, const metrics::References& references) {
  const std::array systems{predictions};
  return {{"accuracy", score(metrics::Accuracy(), predictions, references)},
          {"f1", score(metrics::MacroF1(references, systems), predictions, references)}};
}

Named scores_of_spans(const Lines& predictions, const metrics::References& references) {
  return {{"accuracy", score(metrics::Accuracy(), predictions, references)},
          {"f1", score(metrics::SpanF1(), predictions, references)}};
}

Named scores_of_numbers(const Lines& predictions, const metrics::References& references) {
  return {{"mse", score(metrics::MeanError(metrics::Deviation::Squared), predictions, references)},
          {"mae", score(metrics::MeanError(metrics::Deviation::Absolute), predictions, references)}};
}

}  // namespace

PredictionScorer::PredictionScorer(const models::HeadOptions& head, const std::vector<std::string>& references)
    : scores_(scores_of_labels),
      lines_(lines_with_text(references)),
      references_(metrics::References::from_files({picked(references, lines_)})) {
  const bool of_words = std::holds_alternative<models::LabelHeadOptions>(head.type);
  if (std::holds_alternative<models::NumberHeadOptions>(head.type)) scores_ = scores_of_numbers;
  if (of_words && mark_spans(references)) scores_ = scores_of_spans;
}

std::map<std::string, double> PredictionScorer::scores(const std::vector<std::string>& predictions) const {
  return scores_(picked(predictions, lines_), references_);
}

}  // namespace heed::training
