#include "heed/metrics/significance/significance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heed/metrics/bleu/bleu.h"
#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

Bleu bleu_of(const Json& stored) {
  BleuOptions options;
  const std::string smooth = stored.at("smooth");
  if (smooth == "floor") options.smooth = FloorSmoothing{stored.at("value")};
  if (smooth == "add-k") options.smooth = AddKSmoothing{stored.at("value")};
  if (smooth == "none") options.smooth = NoSmoothing{};
  return Bleu(options);
}

std::vector<CorpusStatistics> statistics_of(const Bleu& bleu, const Json& systems, const Json& references) {
  const auto lines = References::from_files(references.get<std::vector<Texts>>());
  std::vector<CorpusStatistics> statistics;
  for (const Json& system : systems) statistics.push_back(bleu.extract(system.get<Texts>(), lines));
  return statistics;
}

std::vector<SystemStatistics> measured_by(const Bleu& bleu, const std::vector<CorpusStatistics>& statistics) {
  std::vector<SystemStatistics> systems;
  for (const CorpusStatistics& each : statistics) systems.push_back({bleu, each});
  return systems;
}

void expect_equal(const std::optional<double>& value, const Json& stored) {
  ASSERT_EQ(value.has_value(), !stored.is_null());
  if (value) {
    EXPECT_EQ(*value, stored.get<double>());
  }
}

void expect_stored_confidence(const Json& corpus, const Json& stored) {
  const Bleu bleu = bleu_of(stored);
  const auto statistics = statistics_of(bleu, corpus.at("systems"), corpus.at("references"));
  const NumpySeed seed = NumpySeed::parse(stored.at("seed").get<std::string>());
  const SystemStatistics measured{bleu, statistics[0]};
  const auto scores = bootstrap_scores(std::span(&measured, 1), stored.at("samples"), seed)[0];
  for (size_t i = 0; i < stored.at("scores").size(); ++i) EXPECT_EQ(scores[i], stored.at("scores")[i].get<double>());
  const Confidence confidence = confidence_of(scores);
  if (scores.size() > 1) {
    EXPECT_EQ(confidence.mean, stored.at("mean").get<double>());
    EXPECT_EQ(confidence.half_width, stored.at("half_width").get<double>());
  }
}

void expect_stored_paired_test(const Json& corpus, const Json& stored, int64_t threads) {
  const Bleu bleu = bleu_of(stored);
  const auto statistics = statistics_of(bleu, corpus.at("systems"), corpus.at("references"));
  const NumpySeed seed = NumpySeed::parse(stored.at("seed").get<std::string>());
  const bool bootstrap = stored.at("kind") == "bs";
  const PairedTest test{.method = bootstrap ? PairedMethod::Bootstrap : PairedMethod::Randomization,
                        .samples = stored.at("samples"),
                        .seed = seed,
                        .baseline_seed = seed,
                        .threads = threads};
  const std::vector<std::vector<SystemStatistics>> systems{measured_by(bleu, statistics)};
  const auto results = paired_test(test, systems)[0];
  ASSERT_EQ(results.size(), stored.at("results").size());
  for (size_t s = 0; s < results.size(); ++s) {
    const Json& expected = stored.at("results")[s];
    EXPECT_EQ(results[s].score, expected.at("score").get<double>());
    expect_equal(results[s].p_value, expected.at("p_value"));
    ASSERT_EQ(results[s].confidence.has_value(), bootstrap);
    if (!bootstrap) continue;
    EXPECT_EQ(results[s].confidence->mean, expected.at("mean").get<double>());
    EXPECT_EQ(results[s].confidence->half_width, expected.at("ci").get<double>());
  }
}

TEST(Significance, EqualsSacreBleuToTheLastBit) {
  size_t confidences = 0, paired = 0;
  for (const Json& corpus : testing::stored_json("metrics/data/significance.json")) {
    for (const Json& stored : corpus.at("cases")) {
      SCOPED_TRACE(stored.dump().substr(0, 300));
      if (stored.contains("kind")) {
        expect_stored_paired_test(corpus, stored, 1);
        ++paired;
      } else {
        expect_stored_confidence(corpus, stored);
        ++confidences;
      }
    }
  }
  EXPECT_EQ(confidences, 60u);
  EXPECT_EQ(paired, 50u);
}

TEST(Significance, DoesNotDependOnThreads) {
  for (const Json& corpus : testing::stored_json("metrics/data/significance.json")) {
    for (const Json& stored : corpus.at("cases")) {
      if (stored.contains("kind")) expect_stored_paired_test(corpus, stored, 3);
    }
  }
}

/// Segments whose statistics are given, so that a test can compute by hand: the score is the mean of the first number.
class MeanMetric : public Metric {
 public:
  std::string name() const override { return "mean"; }
  size_t statistics_size() const override { return 2; }
  std::unique_ptr<Extractor> extractor() const override { return nullptr; }
  double value(const Sums& sums) const override { return sums[0] / sums[1]; }
};

CorpusStatistics values_of(const std::vector<double>& values) {
  CorpusStatistics statistics(values.size(), 2);
  for (size_t i = 0; i < values.size(); ++i) {
    statistics.row(i)[0] = values[i];
    statistics.row(i)[1] = 1;
  }
  return statistics;
}

TEST(Resampling, BootstrapScoresAreThoseOfTheDrawnSegments) {
  const MeanMetric metric;
  const CorpusStatistics small = values_of({1, 2, 3, 5, 8});
  const CorpusStatistics large = values_of({100, 100, 100, 100, 200});
  const std::vector<SystemStatistics> measured{{metric, small}, {metric, large}};
  const NumpySeed seed = NumpySeed::parse("3");
  const auto scores = bootstrap_scores(measured, 20, seed, 2);
  NumpyRandom random(seed);
  for (size_t sample = 0; sample < 20; ++sample) {
    std::vector<uint32_t> drawn(5);
    random.choice(5, drawn);
    double first = 0;
    double second = 0;
    for (const uint32_t segment : drawn) {
      first += small.row(segment)[0] / 5;
      second += large.row(segment)[0] / 5;
    }
    EXPECT_NEAR(scores[0][sample], first, 1e-9);
    EXPECT_NEAR(scores[1][sample], second, 1e-9);
  }
}

TEST(Resampling, SumsAreSinglePrecisionInTheOrderOfDrawing) {
  // 2^24 + 1 is 2^24 in float32: large numbers swallow the ones that come after them.
  const MeanMetric metric;
  const CorpusStatistics statistics = values_of({16777216, 1});
  const SystemStatistics measured{metric, statistics};
  const NumpySeed seed = NumpySeed::parse("12345");
  const auto scores = bootstrap_scores(std::span(&measured, 1), 50, seed)[0];
  NumpyRandom random(seed);
  size_t swallowed = 0;
  for (const double score : scores) {
    std::vector<uint32_t> drawn(2);
    random.choice(2, drawn);
    const bool mixed = drawn[0] != drawn[1];
    swallowed += mixed ? 1 : 0;
    EXPECT_EQ(score, mixed ? 8388608.0 : drawn[0] == 0 ? 16777216.0 : 1.0);
  }
  EXPECT_GT(swallowed, 10u);
}

TEST(Resampling, ShuffledDifferencesAreThoseOfTheRandomBits) {
  const MeanMetric metric;
  const NumpySeed seed = NumpySeed::parse("9");
  for (const size_t segments : {1u, 5u, 47u, 48u, 49u, 64u, 130u}) {
    std::vector<double> first(segments);
    std::vector<double> second(segments);
    for (size_t i = 0; i < segments; ++i) {
      first[i] = static_cast<double>(i * i % 17);
      second[i] = static_cast<double>(i * 7 % 13);
    }
    const CorpusStatistics baseline = values_of(first);
    const CorpusStatistics system = values_of(second);
    const MeasuredPair pair{{metric, baseline}, {metric, system}};
    const auto differences = shuffled_differences(std::span(&pair, 1), 1100, seed, 2)[0];
    NumpyRandom random(seed);
    uint64_t word = 0;
    size_t bit = 0;
    for (size_t trial = 0; trial < 1100; ++trial) {
      double difference = 0;
      for (size_t i = 0; i < segments; ++i, ++bit) {
        word = bit % 64 == 0 ? random.next() : word >> 1;
        difference += word & 1 ? first[i] - second[i] : second[i] - first[i];
      }
      ASSERT_NEAR(differences[trial], std::abs(difference) / static_cast<double>(segments), 1e-9) << segments;
    }
  }
}

TEST(Confidence, HalfWidthIsOfTheMiddleNinetyFivePercent) {
  std::vector<double> scores;
  for (int i = 80; i-- > 0;) scores.push_back(i);
  const Confidence confidence = confidence_of(scores);  // two of 80 are cut off at each side
  EXPECT_EQ(confidence.mean, 39.5);
  EXPECT_EQ(confidence.half_width, (77 - 2) / 2.0);
}

TEST(PairedTest, EqualSystemsNeverDiffer) {
  const MeanMetric metric;
  const CorpusStatistics values = values_of({1, 2, 3, 4});
  const std::vector<std::vector<SystemStatistics>> systems{{{metric, values}, {metric, values}}};
  const NumpySeed seed = NumpySeed::parse("1");
  PairedTest test{.method = PairedMethod::Randomization, .samples = 99, .seed = seed, .baseline_seed = seed};
  EXPECT_EQ(paired_test(test, systems)[0][1].p_value, 1.0 / 100);  // no trial is above a difference of 0
}

TEST(PairedTest, BaselineMayHaveItsOwnSeed) {
  const MeanMetric metric;
  const CorpusStatistics first = values_of({1, 2, 3, 4});
  const CorpusStatistics second = values_of({2, 2, 5, 4});
  const std::vector<std::vector<SystemStatistics>> systems{{{metric, first}, {metric, second}}};
  const auto confidence_with = [&](const char* seed, const char* baseline_seed) {
    const PairedTest test{.seed = NumpySeed::parse(seed), .baseline_seed = NumpySeed::parse(baseline_seed)};
    const auto results = paired_test(test, systems)[0];
    return std::pair{results[0].confidence->mean, results[1].confidence->mean};
  };
  EXPECT_EQ(confidence_with("1", "2").first, confidence_with("2", "2").first);
  EXPECT_NE(confidence_with("1", "2").first, confidence_with("1", "1").first);
  EXPECT_EQ(confidence_with("1", "2").second, confidence_with("1", "1").second);
}

}  // namespace
}  // namespace heed::metrics
