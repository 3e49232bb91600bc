#include "evaluate/evaluation.h"

#include "heed/core/text/unicode.h"

namespace heed::apps {

std::vector<std::string> stripped_lines(LineReader reader) {
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) lines.emplace_back(strip_right(line));
  return lines;
}

std::vector<std::string> split(std::string_view text, char separator, int64_t most_splits) {
  std::vector<std::string> parts;
  for (size_t end; most_splits-- != 0 && (end = text.find(separator)) != std::string_view::npos;) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.emplace_back(text);
  return parts;
}

metrics::SignatureContext Evaluation::context() const {
  metrics::SignatureContext context{.references = references.count()};
  if (bootstrap) {
    context.bootstrap_samples = bootstrap->samples;
    context.seed = seed;
  }
  return context;
}

metrics::CorpusStatistics Evaluation::extract(const metrics::Metric& metric, size_t system) const {
  return naming(system, [&] { return metric.extract(systems[system], references, threads); });
}

metrics::MeasuredSystems Evaluation::extract_all(const metrics::Metric& metric) const {
  metrics::MeasuredSystems measured{metric, {}};
  for (size_t s = 0; s < systems.size(); ++s) measured.systems.push_back(extract(metric, s));
  return measured;
}

metrics::Result Evaluation::result(const metrics::Metric& metric, const metrics::CorpusStatistics& statistics) const {
  std::optional<metrics::Confidence> confidence;
  if (bootstrap) confidence = metrics::bootstrap_confidence({metric, statistics}, *bootstrap, threads);
  return {.score = metric.score(statistics.sums()), .confidence = confidence, .signature = metric.signature(context())};
}

std::string Evaluation::paired_report(const metrics::PairedTest& test,
                                      const std::vector<metrics::MeasuredSystems>& measured, int64_t samples) const {
  const auto columns = metrics::paired_columns(test, measured, context(), seed);
  return metrics::systems_report(names, columns, metrics::PairedTestNote{test.method, samples}, style);
}

}  // namespace heed::apps
