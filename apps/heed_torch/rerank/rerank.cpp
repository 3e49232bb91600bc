#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "commands.h"
#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/metrics/oracle.h"
#include "output.h"
#include "progress.h"
#include "rerank/listed_input.h"
#include "rerank/model_features.h"
#include "rerank/rerank_options.h"

namespace heed::apps {
namespace {

/// The number of candidates that models score at once.
constexpr size_t kCandidatesAtOnce = 16384;

using reranking::CandidateTable;

/// Reads lines in blocks and passes each block on; the last one may be smaller.
template <class Take>
void read_blocks(ListedInput& input, const Take& take) {
  std::vector<ListedLine> block;
  size_t candidates = 0;
  const auto flush = [&] {
    if (!block.empty()) take(block);
    block.clear();
    candidates = 0;
  };
  for (ListedLine line; input.next(line);) {
    candidates += line.list.candidates.size();
    block.push_back(std::move(line));
    if (candidates >= kCandidatesAtOnce) flush();
  }
  flush();
}

ListedLines listed(const std::vector<ListedLine>& block) {
  ListedLines lines;
  for (const ListedLine& line : block) {
    lines.lists.push_back(line.list);
    lines.sources.push_back(line.source);
  }
  return lines;
}

/// Appends the metric's statistics for each candidate of a block.
void add_statistics(const std::vector<ListedLine>& block, const metrics::Metric& metric, CandidateTable& table) {
  const auto extractor = metric.extractor();
  std::vector<double> row(metric.statistics_size());
  for (const ListedLine& line : block) {
    const std::string_view reference = line.reference;
    for (const reranking::Candidate& candidate : line.list.candidates) {
      extractor->extract(candidate.text, {&reference, 1}, row);
      table.statistics.insert(table.statistics.end(), row.begin(), row.end());
    }
    table.begins.push_back(table.begins.back() + line.list.candidates.size());
  }
}

std::vector<size_t> first_of_lists(const CandidateTable& table) {
  return {table.begins.begin(), table.begins.end() - 1};
}

void require_lines(const CandidateTable& table, const RerankCommand& command) {
  if (table.lines() == 0) throw InputError(command.input, 0, "has no translations to choose weights on");
}

int tune(const RerankCommand& command) {
  std::vector<reranking::Feature> features = features_of(command);
  const ModelFeatures models(features, command.use, command.scorer);
  if (models.need_source()) require_option(!command.source.empty(), "source", "models are to read it");
  const auto metric = metric_of(command.metric, /*effective_order=*/false);
  AtomicFile weights_file(command.weights);
  CandidateTable table{.features_size = features.size(), .statistics_size = metric->statistics_size()};
  ListedInput input(command.input, command.source, command.reference, command.use.invalid_text);
  Progress progress("-");
  read_blocks(input, [&](const std::vector<ListedLine>& block) {
    const std::vector<double> rows = models.of(listed(block), command.input);
    table.features.insert(table.features.end(), rows.begin(), rows.end());
    add_statistics(block, *metric, table);
    progress.lines("lines", static_cast<int64_t>(table.lines()), std::nullopt);
  });
  progress.end_line();
  require_lines(table, command);
  const std::vector<double> weights = reranking::tune_weights(table, *metric, command.tuning);
  for (size_t f = 0; f < features.size(); ++f) features[f].weight = weights[f];
  weights_file.write(reranking::format_features(features));
  weights_file.commit();
  log_info(fmt::format(
      "{} of {}: {:.2f} in the list's order, {:.2f} with the weights in {}", metric->name(),
      counted(static_cast<int64_t>(table.lines()), "line"), reranking::score_of(table, *metric, first_of_lists(table)),
      reranking::score_of(table, *metric, reranking::best_candidates(table, weights)), command.weights));
  return 0;
}

std::vector<std::string_view> texts_of(const std::vector<reranking::Candidate>& candidates) {
  std::vector<std::string_view> texts;
  for (const reranking::Candidate& candidate : candidates) texts.push_back(candidate.text);
  return texts;
}

int write_oracle(const RerankCommand& command) {
  const auto metric = metric_of(command.metric, /*effective_order=*/true);
  Output output(command.output);
  ListedInput input(command.input, "", command.reference, command.use.invalid_text);
  metrics::Oracle oracle(metric);
  std::vector<double> sums(metric->statistics_size());
  read_blocks(input, [&](const std::vector<ListedLine>& block) {
    for (const ListedLine& line : block) {
      const auto& candidates = line.list.candidates;
      output.write(candidates[oracle.choose(texts_of(candidates), line.reference)].text + '\n');
      std::ranges::transform(sums, oracle.statistics(), sums.begin(), std::plus());
    }
  });
  output.finish();
  log_info(fmt::format("{} of the translations closest to the references: {:.2f}", metric->name(),
                       metric->score(sums).value));
  return 0;
}

/// The best translation, or all translations in their new order.
std::string ranked_text(const reranking::NBestList& list, const std::vector<double>& scores, bool n_best) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](size_t c) { return scores[c]; });
  if (!n_best) return list.candidates[order.front()].text + '\n';
  std::string text;
  for (const size_t c : order) {
    text += fmt::format("{} ||| {} ||| {:.6f}\n", list.line, list.candidates[c].text, scores[c]);
  }
  return text;
}

int rank(const RerankCommand& command) {
  const std::vector<reranking::Feature> features = reranking::read_features(command.weights);
  const ModelFeatures models(features, command.use, command.scorer);
  if (models.need_source()) require_option(!command.source.empty(), "source", "models are to read it");
  Output output(command.output);
  ListedInput input(command.input, command.source, "", command.use.invalid_text);
  Progress progress(command.output);
  int64_t done = 0;
  read_blocks(input, [&](const std::vector<ListedLine>& block) {
    const std::vector<double> rows = models.of(listed(block), command.input);
    auto row = rows.begin();
    for (const ListedLine& line : block) {
      std::vector<double> scores;
      for (size_t c = 0; c < line.list.candidates.size(); ++c) {
        double score = 0;
        for (const reranking::Feature& feature : features) score += feature.weight * *row++;
        scores.push_back(score);
      }
      output.write(ranked_text(line.list, scores, command.n_best));
    }
    done += std::ssize(block);
    progress.lines("lines", done, std::nullopt);
  });
  output.finish();
  return 0;
}

int rerank(const RerankCommand& command, const config::Arguments& given) {
  check_options(command, given);
  if (command.oracle) return write_oracle(command);
  return command.tunes() ? tune(command) : rank(command);
}

}  // namespace

config::Command rerank_command() {
  return with_options<RerankCommand>({.name = "rerank", .help = kRerankHelp}, rerank);
}

}  // namespace heed::apps
