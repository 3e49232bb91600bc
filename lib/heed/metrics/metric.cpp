#include "heed/metrics/metric.h"

#include <fmt/format.h>

#include "heed/core/parallel.h"

namespace heed::metrics {
namespace {

std::string join(const std::vector<SignatureEntry>& entries, std::string SignatureEntry::* key) {
  std::string text;
  for (const SignatureEntry& entry : entries) {
    if (!text.empty()) text += '|';
    text += entry.*key + ':' + entry.value;
  }
  return text;
}

// Large enough that the cost of a chunk does not matter, and small enough to balance lines of very different cost.
constexpr int64_t kLinesAtOnce = 32;

}  // namespace

Signature::Signature(const SignatureContext& context, std::vector<SignatureEntry> of_metric, std::string_view version) {
  const auto add = [this](const char* key, const char* short_key, const auto& value) {
    if (value) entries_.push_back({key, short_key, fmt::format("{}", *value)});
  };
  entries_.push_back({"nrefs", "#", context.references ? fmt::format("{}", *context.references) : "var"});
  add("bs", "bs", context.bootstrap_samples);
  add("ar", "ar", context.randomization_trials);
  add("seed", "rs", context.seed);
  add("test", "t", context.test_set);
  add("lang", "l", context.language_pair);
  add("origlang", "o", context.original_language);
  add("subset", "S", context.subset);
  entries_.insert(entries_.end(), of_metric.begin(), of_metric.end());
  if (!version.empty()) entries_.push_back({"version", "v", std::string(version)});
}

std::string Signature::text() const { return join(entries_, &SignatureEntry::key); }
std::string Signature::short_text() const { return join(entries_, &SignatureEntry::short_key); }

LineError::LineError(size_t line, const std::string& reason)
    : Error(fmt::format("line {}: {}", line, reason)), line_(static_cast<int64_t>(line)), reason_(reason) {}

std::string result_line(const Score& score, std::string_view signature, int width) {
  std::string line = score.name;
  if (!signature.empty()) line.append("|").append(signature);
  line += fmt::format(" = {:.{}f}", score.value, width);
  if (!score.verbose.empty()) line.append(" ").append(score.verbose);
  return line;
}

std::vector<double> CorpusStatistics::sums() const {
  std::vector<double> sums(width_);
  for (size_t line = 0; line < lines_; ++line) {
    for (size_t i = 0; i < width_; ++i) sums[i] += values_[line * width_ + i];
  }
  return sums;
}

std::string Metric::line(const Score& score, std::string_view signature, int width) const {
  return result_line(score, signature, decimals(width));
}

Signature Metric::signature(const SignatureContext& context) const {
  return Signature(context, signature_entries(), version());
}

Score Metric::score(std::span<const double> sums) const {
  return {.name = name(), .value = value(sums), .verbose = verbose(sums)};
}

CorpusStatistics Metric::extract(std::span<const std::string> hypotheses, const References& references,
                                 int64_t threads) const {
  check(hypotheses.size() == references.size(), "hypotheses and references must have as many lines");
  CorpusStatistics statistics(hypotheses.size(), statistics_size());
  std::vector<std::unique_ptr<Extractor>> extractors(static_cast<size_t>(threads));
  parallel_chunks(threads, static_cast<int64_t>(hypotheses.size()), kLinesAtOnce,
                  [&](int64_t worker, int64_t begin, int64_t end) {
                    auto& extractor = extractors[static_cast<size_t>(worker)];
                    if (!extractor) extractor = this->extractor();
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                      try {
                        extractor->extract(hypotheses[i], references[i], statistics.row(i));
                      } catch (const Error& error) {
                        throw LineError(i + 1, error.what());
                      }
                    }
                  });
  return statistics;
}

Score Metric::sentence_score(std::string_view hypothesis, std::span<const std::string> references) const {
  check(!references.empty(), "a segment needs a reference");
  const std::vector<std::string_view> views(references.begin(), references.end());
  std::vector<double> statistics(statistics_size());
  extractor()->extract(hypothesis, views, statistics);
  return score(statistics);
}

Score Metric::corpus_score(std::span<const std::string> hypotheses, const References& references,
                           int64_t threads) const {
  return score(extract(hypotheses, references, threads).sums());
}

}  // namespace heed::metrics
