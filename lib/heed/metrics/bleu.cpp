#include "heed/metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/unicode.h"
#include "heed/metrics/ngram_matches.h"

namespace heed::metrics {
namespace {

// The program whose scores these are, and whose version their signatures name.
constexpr std::string_view kSacreBleuVersion = "2.6.0";
constexpr double kLogOfZero = -9999999999.0;

/// The length closest to `hypothesis_length`, the shorter of two as close.
int64_t closest_length(int64_t hypothesis_length, std::span<const Tokens> references) {
  int64_t closest = -1;
  for (const Tokens& reference : references) {
    const auto length = static_cast<int64_t>(reference.size());
    const int64_t distance = std::abs(length - hypothesis_length);
    const int64_t best = std::abs(closest - hypothesis_length);
    if (closest < 0 || distance < best || (distance == best && length < closest)) closest = length;
  }
  return closest;
}

double brevity_penalty(const BleuStatistics& statistics) {
  const auto hypothesis = static_cast<double>(statistics.hypothesis_length);
  const auto reference = static_cast<double>(statistics.reference_length);
  if (hypothesis >= reference) return 1;
  return hypothesis > 0 ? std::exp(1 - reference / hypothesis) : 0;
}

/// The precision of one order, in percent. Exp halves `share` at each order without a match.
struct Precision {
  double correct;
  double total;
  double& share;
  double operator()(const NoSmoothing&) const { return 100 * correct / total; }
  double operator()(const AddKSmoothing&) const { return 100 * correct / total; }
  double operator()(const FloorSmoothing& floor) const { return 100 * (correct == 0 ? floor.value : correct) / total; }
  double operator()(const ExpSmoothing&) const {
    if (correct > 0) return 100 * correct / total;
    share *= 2;
    return 100 / (share * total);
  }
};

/// Fills in the precisions; the number of orders to average over.
size_t fill_precisions(const BleuOptions& options, const BleuStatistics& statistics,
                       std::array<double, kBleuOrder>& precisions) {
  const auto* add_k = std::get_if<AddKSmoothing>(&options.smooth);
  double share = 1;
  for (size_t n = 0; n < kBleuOrder; ++n) {
    const double added = add_k != nullptr && n > 0 ? add_k->value : 0;
    const double total = static_cast<double>(statistics.total[n]) + added;
    if (total == 0) return options.effective_order ? n : kBleuOrder;
    precisions[n] = std::visit(Precision{static_cast<double>(statistics.correct[n]) + added, total, share}, options.smooth);
  }
  return kBleuOrder;
}

std::string smoothing_name(const BleuOptions& options) {
  return std::visit(
      [](const auto& smoothing) {
        if constexpr (requires { smoothing.value; }) return fmt::format("{}[{:.2f}]", smoothing.kName, smoothing.value);
        else return std::string(smoothing.kName);
      },
      options.smooth);
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  hypothesis_length += other.hypothesis_length;
  reference_length += other.reference_length;
  for (size_t n = 0; n < kBleuOrder; ++n) {
    correct[n] += other.correct[n];
    total[n] += other.total[n];
  }
  return *this;
}

std::string BleuScore::verbose() const {
  return fmt::format("{:.1f}/{:.1f}/{:.1f}/{:.1f} (BP = {:.3f} ratio = {:.3f} hyp_len = {} ref_len = {})", precisions[0],
                     precisions[1], precisions[2], precisions[3], brevity_penalty, ratio, statistics.hypothesis_length,
                     statistics.reference_length);
}

/// What segments reuse from one to the next.
struct Bleu::Workspace {
  NgramMatcher matcher;
  std::vector<std::string> texts;  // tokens point into these: the hypothesis, then the references
  std::vector<Tokens> tokens;
};

Bleu::Bleu(const BleuOptions& options) : options_(options), tokenizer_(make_tokenizer(options.tokenize)) {}
Bleu::~Bleu() = default;

BleuStatistics Bleu::segment(std::span<const std::string_view> lines, Workspace& workspace) const {
  workspace.texts.resize(lines.size());
  workspace.tokens.resize(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    workspace.texts[i] = (*tokenizer_)(strip_right(options_.lowercase ? lower(lines[i]) : std::string(lines[i])));
    workspace.tokens[i] = split_whitespace(workspace.texts[i]);
  }
  const Tokens& hypothesis = workspace.tokens[0];
  const auto references = std::span(workspace.tokens).subspan(1);
  BleuStatistics statistics;
  statistics.hypothesis_length = static_cast<int64_t>(hypothesis.size());
  statistics.reference_length = closest_length(statistics.hypothesis_length, references);
  for (size_t n = 0; n < kBleuOrder; ++n) {
    statistics.total[n] = std::max<int64_t>(0, statistics.hypothesis_length - static_cast<int64_t>(n));
  }
  workspace.matcher.count(hypothesis, references, statistics.correct);
  return statistics;
}

BleuStatistics Bleu::segment(std::string_view hypothesis, std::span<const std::string> references) const {
  check(!references.empty(), "BLEU needs a reference");
  std::vector<std::string_view> lines{hypothesis};
  lines.insert(lines.end(), references.begin(), references.end());
  Workspace workspace;
  return segment(lines, workspace);
}

BleuStatistics Bleu::corpus(std::span<const std::string> hypotheses,
                            std::span<const std::vector<std::string>> references) const {
  check(!references.empty(), "BLEU needs a reference");
  for (const auto& reference : references) {
    check(reference.size() == hypotheses.size(), "hypotheses and references must have as many lines");
  }
  BleuStatistics sum;
  Workspace workspace;
  std::vector<std::string_view> lines(references.size() + 1);
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    lines[0] = hypotheses[i];
    for (size_t r = 0; r < references.size(); ++r) lines[r + 1] = references[r][i];
    sum += segment(lines, workspace);
  }
  return sum;
}

BleuScore Bleu::score(const BleuStatistics& statistics) const {
  BleuScore result{.statistics = statistics};
  result.brevity_penalty = brevity_penalty(statistics);
  if (statistics.reference_length > 0) {
    result.ratio = static_cast<double>(statistics.hypothesis_length) / static_cast<double>(statistics.reference_length);
  }
  // Without any match the score is 0, whatever the smoothing.
  if (std::ranges::all_of(statistics.correct, [](int64_t correct) { return correct == 0; })) return result;
  const size_t orders = fill_precisions(options_, statistics, result.precisions);
  double sum = 0;
  for (size_t n = 0; n < orders; ++n) sum += result.precisions[n] > 0 ? std::log(result.precisions[n]) : kLogOfZero;
  result.score = result.brevity_penalty * std::exp(sum / static_cast<double>(orders));
  return result;
}

std::string Bleu::signature(std::optional<int64_t> references) const {
  return fmt::format("nrefs:{}|case:{}|eff:{}|tok:{}|smooth:{}|version:{}",
                     references ? fmt::format("{}", *references) : "var", options_.lowercase ? "lc" : "mixed",
                     options_.effective_order ? "yes" : "no", tokenizer_->name(), smoothing_name(options_),
                     kSacreBleuVersion);
}

std::string Bleu::line(const BleuScore& score, std::optional<int64_t> references, int width) const {
  return fmt::format("BLEU|{} = {:.{}f} {}", signature(references), score.score, width, score.verbose());
}

}  // namespace heed::metrics
