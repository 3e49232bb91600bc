#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluate/reports.h"
#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/files/short_names.h"
#include "heed/core/text/unicode.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/length_buckets.h"
#include "heed/metrics/token_metrics.h"
#include "heed/report/page.h"

namespace heed::apps {

using Json = nlohmann::ordered_json;

namespace {

using metrics::CorpusStatistics;

constexpr size_t kMostSentences = 4000;  // on the page
constexpr int64_t kMostBuckets = 6;      // of the default lengths; the last has all longer lines

/// Null if it is not finite.
Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::round(value * 1e4) / 1e4;
}

Json numbers(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

metrics::Bootstrap bootstrap_of(const EvaluateOptions& options) {
  Resampling resampling;
  if (const auto* confidence = std::get_if<ConfidenceOptions>(&options.significance)) resampling = *confidence;
  if (const auto* paired = std::get_if<PairedBootstrapOptions>(&options.significance)) resampling = *paired;
  return {.samples = resampling.samples, .seed = metrics::NumpySeed::parse(std::to_string(resampling.random_seed))};
}

/// A metric with the statistics of every system.
struct Measured {
  const NamedMetric& named;
  std::unique_ptr<const metrics::Metric> metric;
  std::vector<CorpusStatistics> systems;
};

std::vector<Measured> measure(const EvaluateOptions& options, const Evaluation& evaluation) {
  const MetricContext context{.options = options, .references = evaluation.references, .systems = evaluation.systems};
  std::vector<Measured> all;
  for (const std::string& name : options.metric) {
    const NamedMetric& named = *find_metric(name);
    Measured& one = all.emplace_back(Measured{.named = named, .metric = named.make(context), .systems = {}});
    for (size_t s = 0; s < evaluation.systems.size(); ++s) one.systems.push_back(evaluation.extract(*one.metric, s));
  }
  return all;
}

/// Scores with confidence intervals; of further systems the p-value against the first.
Json scores(const Measured& measured, const metrics::Bootstrap& bootstrap, int64_t threads) {
  Json results = Json::array();
  if (measured.systems.size() == 1) {
    const CorpusStatistics& statistics = measured.systems[0];
    const auto confidence = metrics::bootstrap_confidence({*measured.metric, statistics}, bootstrap, threads);
    results.push_back({{"score", number(measured.metric->score(statistics.sums()).value)},
                       {"mean", number(confidence.mean)},
                       {"margin", number(confidence.half_width)},
                       {"p", nullptr}});
    return results;
  }
  std::vector<std::vector<metrics::SystemStatistics>> systems(1);
  for (const CorpusStatistics& statistics : measured.systems) systems[0].push_back({*measured.metric, statistics});
  const metrics::PairedTest test{.method = metrics::PairedMethod::Bootstrap,
                                 .samples = bootstrap.samples,
                                 .seed = bootstrap.seed,
                                 .baseline_seed = bootstrap.seed,
                                 .threads = threads};
  const auto tested = metrics::paired_test(test, systems);
  for (const metrics::PairedResult& result : tested[0]) {
    results.push_back({{"score", number(result.score)},
                       {"mean", number(result.confidence->mean)},
                       {"margin", number(result.confidence->half_width)},
                       {"p", result.p_value ? number(*result.p_value) : Json(nullptr)}});
  }
  return results;
}

Json buckets_of(const Measured& measured, const std::vector<metrics::LengthBucket>& buckets,
                const metrics::Bootstrap& bootstrap, int64_t threads) {
  Json systems = Json::array();
  for (const CorpusStatistics& statistics : measured.systems) {
    Json values = Json::array(), margins = Json::array();
    for (const metrics::LengthBucket& bucket : buckets) {
      const CorpusStatistics rows = metrics::rows_of(statistics, bucket.lines);
      if (rows.lines() == 0) {
        values.push_back(nullptr);
        margins.push_back(nullptr);
        continue;
      }
      values.push_back(number(measured.metric->score(rows.sums()).value));
      margins.push_back(number(metrics::bootstrap_confidence({*measured.metric, rows}, bootstrap, threads).half_width));
    }
    systems.push_back({{"values", values}, {"margins", margins}});
  }
  return systems;
}

// Words by frequency.

using Words = std::map<std::string, int64_t, std::less<>>;

void count_words(std::string_view line, Words& counts) {
  for (const std::string_view word : split_whitespace(line)) {
    const auto known = counts.find(word);
    known == counts.end() ? void(counts.emplace(word, 1)) : void(++known->second);
  }
}

/// The first frequencies of the classes of words.
constexpr std::array<int64_t, 7> kFrequencies{0, 1, 2, 5, 10, 100, 1000};

size_t class_of(int64_t frequency) {
  return static_cast<size_t>(std::ranges::upper_bound(kFrequencies, frequency) - kFrequencies.begin()) - 1;
}

/// The words of a class: how many the references have, how many the hypotheses have, and how many of these match
/// (clipped, as in BLEU).
struct WordClass {
  int64_t reference = 0, hypothesis = 0, match = 0;
};

std::array<WordClass, kFrequencies.size()> word_classes(const std::vector<std::string>& system,
                                                        const metrics::References& references, const Words& known) {
  const auto frequency = [&](const std::string& word) {
    const auto found = known.find(word);
    return class_of(found == known.end() ? 0 : found->second);
  };
  std::array<WordClass, kFrequencies.size()> classes{};
  for (size_t line = 0; line < system.size(); ++line) {
    Words hypothesis, reference;
    count_words(system[line], hypothesis);
    count_words(references[line][0], reference);
    for (const auto& [word, count] : reference) {
      WordClass& of_word = classes[frequency(word)];
      of_word.reference += count;
      if (const auto made = hypothesis.find(word); made != hypothesis.end())
        of_word.match += std::min(count, made->second);
    }
    for (const auto& [word, count] : hypothesis) classes[frequency(word)].hypothesis += count;
  }
  return classes;
}

Json frequency_facts(const EvaluateOptions& options, const Evaluation& evaluation) {
  Words known;
  if (options.frequencies.empty()) {
    for (size_t line = 0; line < evaluation.references.size(); ++line)
      count_words(evaluation.references[line][0], known);
  } else {
    LineReader reader(options.frequencies);
    for (std::string line; reader.next(line);) count_words(line, known);
  }
  Json facts{{"of", options.frequencies.empty() ? "the reference" : options.frequencies}, {"classes", Json::array()}};
  for (size_t i = 0; i < kFrequencies.size(); ++i) {
    const bool last = i + 1 == kFrequencies.size();
    facts["classes"].push_back(last || kFrequencies[i + 1] - kFrequencies[i] > 1
                                   ? last ? fmt::format("{}+", kFrequencies[i])
                                          : fmt::format("{}-{}", kFrequencies[i], kFrequencies[i + 1] - 1)
                                   : fmt::format("{}", kFrequencies[i]));
  }
  facts["systems"] = Json::array();
  for (const std::vector<std::string>& system : evaluation.systems) {
    Json list = Json::array();
    for (const WordClass& of : word_classes(system, evaluation.references, known)) {
      list.push_back({of.reference, of.hypothesis, of.match});
    }
    facts["systems"].push_back(list);
  }
  return facts;
}

/// n-gram precisions, brevity penalty and length ratio of each system.
Json ngram_facts(const EvaluateOptions& options, const Evaluation& evaluation) {
  const metrics::Bleu bleu(options.bleu);
  Json facts = Json::array();
  for (size_t s = 0; s < evaluation.systems.size(); ++s) {
    const auto details = bleu.details(evaluation.extract(bleu, s).sums());
    facts.push_back({{"precisions", details.precisions},
                     {"brevity_penalty", number(details.brevity_penalty)},
                     {"ratio", number(details.ratio)},
                     {"hypothesis_length", details.hypothesis_length},
                     {"reference_length", details.reference_length}});
  }
  return facts;
}

// Sentences.

/// [metric][system][line]
using SentenceScores = std::vector<std::vector<std::vector<double>>>;

SentenceScores sentence_scores(EvaluateOptions options, const Evaluation& evaluation) {
  options.sentence_level = true;
  SentenceScores all;
  for (const Measured& measured : measure(options, evaluation)) {
    auto& of_metric = all.emplace_back();
    for (const CorpusStatistics& statistics : measured.systems) {
      auto& of_system = of_metric.emplace_back();
      for (size_t line = 0; line < statistics.lines(); ++line) {
        of_system.push_back(measured.metric->value(statistics.row(line)));
      }
    }
  }
  return all;
}

/// The lines on the page: all, or of many the worst and the most different under any metric, and the first.
std::vector<size_t> lines_of_page(const EvaluateOptions& options, const SentenceScores& scores, size_t lines) {
  std::vector<size_t> all(lines);
  std::iota(all.begin(), all.end(), size_t{0});
  if (lines <= kMostSentences) return all;
  std::set<size_t> chosen;
  const size_t each = kMostSentences / (2 * scores.size() * scores[0].size() + 1);
  const auto choose = [&](const auto& badness) {
    std::vector<size_t> order = all;
    std::ranges::stable_sort(order, std::greater(), badness);
    chosen.insert(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(each));
  };
  for (size_t m = 0; m < scores.size(); ++m) {
    const NamedMetric& metric = *find_metric(options.metric[m]);
    for (const std::vector<double>& of_system : scores[m]) {
      choose([&](size_t line) { return std::isnan(of_system[line]) ? -1e9 : metric.badness(of_system[line]); });
      choose([&](size_t line) {
        const double difference = std::abs(of_system[line] - scores[m][0][line]);
        return std::isnan(difference) ? -1e9 : difference;
      });
    }
  }
  chosen.insert(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(each));
  return {chosen.begin(), chosen.end()};
}

Json sentence_facts(const EvaluateOptions& options, const Evaluation& evaluation) {
  const SentenceScores scores = sentence_scores(options, evaluation);
  std::vector<std::string> source;
  if (!options.lengths.source.empty()) source = read_lines(options.lengths.source);
  Json sentences = Json::array();
  for (const size_t line : lines_of_page(options, scores, evaluation.references.size())) {
    Json sentence{
        {"line", line + 1}, {"references", Json::array()}, {"systems", Json::array()}, {"scores", Json::array()}};
    if (!source.empty()) sentence["source"] = source[line];
    for (const std::string_view reference : evaluation.references[line]) sentence["references"].push_back(reference);
    for (const auto& system : evaluation.systems) sentence["systems"].push_back(system[line]);
    for (const auto& of_metric : scores) {
      std::vector<double> of_line;
      for (const auto& of_system : of_metric) of_line.push_back(of_system[line]);
      sentence["scores"].push_back(numbers(of_line));
    }
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace

void write_evaluation_page(const EvaluateOptions& options, const Evaluation& evaluation, AtomicFile& page) {
  const metrics::Bootstrap bootstrap = bootstrap_of(options);
  ByLengthOptions lengths = options.lengths;
  if (!lengths.longest) lengths.longest = kMostBuckets * lengths.width;
  const auto buckets =
      metrics::length_buckets(line_lengths(lengths, evaluation.references), lengths.width, lengths.longest);
  Json json{{"systems", options.lengths.label.empty() ? short_names(evaluation.names) : options.lengths.label},
            {"lines", evaluation.references.size()},
            {"samples", bootstrap.samples},
            {"lengths", {{"of", axis_label(lengths)}, {"buckets", Json::array()}, {"lines", Json::array()}}},
            {"metrics", Json::array()}};
  for (const metrics::LengthBucket& bucket : buckets) {
    json["lengths"]["buckets"].push_back(bucket.name());
    json["lengths"]["lines"].push_back(bucket.lines.size());
  }
  for (const Measured& measured : measure(options, evaluation)) {
    json["metrics"].push_back({{"name", measured.metric->name()},
                               {"signature", measured.metric->signature(evaluation.context()).text()},
                               {"decimals", measured.metric->decimals(evaluation.style.decimals)},
                               {"lower_is_better", measured.named.badness(1) > measured.named.badness(0)},
                               {"scores", scores(measured, bootstrap, evaluation.threads)},
                               {"by_length", buckets_of(measured, buckets, bootstrap, evaluation.threads)}});
  }
  json["frequency"] = frequency_facts(options, evaluation);
  json["ngrams"] = ngram_facts(options, evaluation);
  json["sentences"] = sentence_facts(options, evaluation);
  page.write(
      report::html_page("evaluation", "Evaluation · heed", json.dump(-1, ' ', false, Json::error_handler_t::replace)));
  page.commit();
}

}  // namespace heed::apps
