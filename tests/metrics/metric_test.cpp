#include "heed/metrics/metric.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/bleu/multi_bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/ter/ter.h"
#include "heed/metrics/token_metrics.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

std::vector<double> values(const CorpusStatistics& statistics) {
  return {statistics.values().begin(), statistics.values().end()};
}

std::vector<std::unique_ptr<Metric>> all_metrics() {
  std::vector<std::unique_ptr<Metric>> metrics;
  metrics.push_back(std::make_unique<Bleu>(BleuOptions{.lowercase = true}));
  metrics.push_back(std::make_unique<Chrf>(ChrfOptions{.word_order = 2, .lowercase = true}));
  metrics.push_back(std::make_unique<Ter>(TerOptions{.normalized = true}));
  metrics.push_back(std::make_unique<MultiBleu>());
  metrics.push_back(std::make_unique<LengthRatio>());
  metrics.push_back(std::make_unique<TokenAccuracy>());
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Words));
  metrics.push_back(std::make_unique<ErrorRate>(ErrorUnit::Characters));
  return metrics;
}

TEST(Metric, StatisticsAreThoseOfTheSegmentsAloneForAnyNumberOfThreads) {
  Texts hypotheses;
  std::vector<Texts> references;
  for (size_t i = 0; i < 100; ++i) {
    hypotheses.push_back(std::string(i % 7, 'a') + (i % 5 == 0 ? "" : " d c, b É d's ") + std::string(i % 11, 'b'));
    references.push_back({"a b c d", "aaa b, d c é d's"});
    if (i % 3 == 0) references.back().pop_back();
  }
  const References corpus = References::from_lines(references);
  for (const auto& metric : all_metrics()) {
    const CorpusStatistics one = metric->extract(hypotheses, corpus);
    for (size_t i = 0; i < hypotheses.size(); ++i) {
      const auto alone = metric->extract(Texts{hypotheses[i]}, References::from_lines({references[i]}));
      EXPECT_EQ(std::vector(one.row(i).begin(), one.row(i).end()), values(alone)) << metric->name() << " " << i;
    }
    for (const int64_t threads : {2, 3, 16}) {
      EXPECT_EQ(values(metric->extract(hypotheses, corpus, threads)), values(one)) << metric->name();
    }
  }
}

TEST(Metric, SumsAddUpTheRows) {
  CorpusStatistics statistics(2, 3);
  for (size_t i = 0; i < 3; ++i) {
    statistics.row(0)[i] = static_cast<double>(i);
    statistics.row(1)[i] = 10;
  }
  EXPECT_EQ(statistics.sums(), (std::vector<double>{10, 11, 12}));
}

TEST(Sums, AreComputedWithInTheTypeOfNumPysArray) {
  const std::vector<double> values{1, 3};
  const Sums exact(values), resampled(values, Sums::Type::Float32), shuffled(values, Sums::Type::Int64);
  EXPECT_EQ(exact.quotient(0, 1), 1.0 / 3);
  EXPECT_EQ(resampled.quotient(0, 1), double{1.0F / 3.0F});
  EXPECT_EQ(shuffled.quotient(0, 1), 1.0 / 3) << "NumPy divides integers in float64";
  EXPECT_EQ(exact.increased(1, 0.7), 3.7);
  EXPECT_EQ(resampled.increased(1, 0.7), double{3.7F});
  EXPECT_EQ(shuffled.increased(1, 0.7), 3);
}

TEST(Metric, RefusesReferencesOfAnotherLength) {
  EXPECT_THROW(Bleu().extract(Texts{"a", "b"}, References::from_files({{"a"}})), std::logic_error);
  EXPECT_THROW(References::from_files({}), std::logic_error);
  EXPECT_THROW(References::from_files({{"a"}, {"a", "b"}}), std::logic_error);
  EXPECT_THROW(References::from_lines({{"a"}, {}}), std::logic_error);
}

TEST(References, FilesAndLinesGiveTheSame) {
  const References files = References::from_files({{"a", "b"}, {"c", "d"}});
  const References lines = References::from_lines({{"a", "c"}, {"b", "d"}});
  for (const References* references : {&files, &lines}) {
    EXPECT_EQ(references->size(), 2u);
    EXPECT_EQ(Texts((*references)[1].begin(), (*references)[1].end()), (Texts{"b", "d"}));
    EXPECT_EQ(references->count(), 2);
  }
}

TEST(References, TheirNumberMayVary) { EXPECT_EQ(References::from_lines({{"a", "b"}, {"c"}}).count(), std::nullopt); }

TEST(Signature, EntriesStandInSacreBleusOrder) {
  const Signature signature({.references = 2,
                             .bootstrap_samples = 1000,
                             .randomization_trials = 10,
                             .seed = "12345",
                             .test_set = "wmt",
                             .language_pair = "en-de",
                             .original_language = "en",
                             .subset = "s"},
                            {{"case", "c", "mixed"}}, kSacreBleuVersion);
  EXPECT_EQ(signature.text(),
            "nrefs:2|bs:1000|ar:10|seed:12345|test:wmt|lang:en-de|origlang:en|subset:s|case:mixed|version:2.6.0");
  EXPECT_EQ(signature.short_text(), "#:2|bs:1000|ar:10|rs:12345|t:wmt|l:en-de|o:en|S:s|c:mixed|v:2.6.0");
}

TEST(ResultLine, LeavesOutWhatThereIsNot) {
  EXPECT_EQ(result_line({"BLEU", 48.456, "1.0/2.0"}, "nrefs:1", 2), "BLEU|nrefs:1 = 48.46 1.0/2.0");
  EXPECT_EQ(result_line({"TER", 48.456, ""}, ""), "TER = 48.5");
}

}  // namespace
}  // namespace heed::metrics
