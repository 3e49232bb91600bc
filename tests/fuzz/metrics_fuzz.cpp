// Fuzz target for the tokenizers and metrics: any bytes, read as UTF-8 with ill-formed parts replaced, become a
// hypothesis and up to three references. tests/fuzz/run.sh builds and runs it.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/alignment_error_rate.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/bleu/multi_bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/ter/ter.h"
#include "heed/metrics/token_metrics.h"

namespace {

using namespace heed::metrics;

std::vector<std::unique_ptr<Metric>> make_metrics() {
  std::vector<std::unique_ptr<Metric>> metrics;
  for (const auto tokenize :
       {BleuTokenizer::V13a, BleuTokenizer::Intl, BleuTokenizer::Zh, BleuTokenizer::Char, BleuTokenizer::None}) {
    metrics.push_back(std::make_unique<Bleu>(BleuOptions{.tokenize = tokenize,
                                                         .lowercase = tokenize != BleuTokenizer::Zh,
                                                         .effective_order = tokenize != BleuTokenizer::None}));
  }
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{.smooth = FloorSmoothing{}}));
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{.smooth = AddKSmoothing{}}));
  metrics.push_back(std::make_unique<Chrf>());
  metrics.push_back(std::make_unique<Chrf>(
      ChrfOptions{.word_order = 2, .lowercase = true, .whitespace = true, .eps_smoothing = true}));
  metrics.push_back(std::make_unique<MultiBleu>(MosesBleuOptions{.lowercase = true}));
  metrics.push_back(std::make_unique<TokenAccuracy>());
  metrics.push_back(std::make_unique<LengthRatio>());
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Words));
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Characters));
  for (const bool normalized : {false, true}) {
    metrics.push_back(std::make_unique<Ter>(TerOptions{.normalized = normalized, .asian_support = normalized}));
    metrics.push_back(
        std::make_unique<Ter>(TerOptions{.normalized = normalized, .no_punct = true, .asian_support = true}));
  }
  return metrics;
}

void require(bool holds) {
  if (!holds) std::abort();
}

void score(const Metric& metric, const std::string& hypothesis, const std::vector<std::string>& references) {
  const auto statistics = metric.extract(std::vector{hypothesis}, References::from_lines({references}));
  require(std::ranges::all_of(statistics.values(), [](double value) { return std::isfinite(value) && value >= 0; }));
  const double value = metric.score(statistics.row(0)).value;
  require(std::isfinite(value) && value >= 0);
  const bool is_bounded = metric.name() == "BLEU" || metric.name().starts_with("chrF");

  require(!is_bounded || value <= 100 + 1e-9);
  const Sums resampled(statistics.row(0), Sums::Type::Float32);
  require(std::abs(metric.value(resampled) - value) <= 1e-3 * (1 + value));
}

void align(const std::string& hypothesis, const std::string& reference) {
  try {
    require(std::isfinite(AlignmentErrorRate().sentence_score(hypothesis, std::vector{reference}).value));
  } catch (const heed::Error&) {
    return;  // not a line of links
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto metrics = make_metrics();
  std::vector<std::string> lines(1);
  for (const char c : std::string_view(reinterpret_cast<const char*>(data), size)) {
    if (c == '\n' && lines.size() < 4)
      lines.emplace_back();
    else
      lines.back() += c;
  }
  for (std::string& line : lines) line = heed::replace_invalid_utf8(line);
  if (lines.size() == 1) lines.push_back(lines[0]);
  const std::vector<std::string> references(lines.begin() + 1, lines.end());
  for (const auto& metric : metrics) score(*metric, lines[0], references);
  align(lines[0], references[0]);
  return 0;
}
