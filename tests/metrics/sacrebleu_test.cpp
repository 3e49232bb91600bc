// Every metric against what sacreBLEU 2.6.0 makes of the same corpora (tests/reference/metric_cases.py).
#include <gtest/gtest.h>

#include <memory>

#include "heed/core/text/unicode.h"
#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/ter/ter.h"
#include "support/set_options.h"
#include "support/stored_json.h"

namespace heed::metrics {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;
using testing::options_from;

std::unique_ptr<Metric> metric_of(const Json& stored) {
  const Json& values = stored.at("options");
  if (stored.at("metric") == "CHRF") return std::make_unique<Chrf>(options_from<ChrfOptions>(values));
  if (stored.at("metric") == "TER") return std::make_unique<Ter>(options_from<TerOptions>(values));
  auto options = options_from<BleuOptions>(values);
  options.effective_order = values.at("effective-order");
  return std::make_unique<Bleu>(options);
}

void expect_stored_score(const Json& stored, const Json& corpus) {
  const auto metric = metric_of(stored);
  const auto references = References::from_lines(corpus.at("references").get<std::vector<Texts>>());
  const CorpusStatistics statistics = metric->extract(corpus.at("hypotheses").get<Texts>(), references);
  EXPECT_EQ(std::vector(statistics.values().begin(), statistics.values().end()),
            stored.at("statistics").get<std::vector<double>>());
  const std::vector<double> sums = statistics.sums();
  const Score score = metric->score(sums);
  EXPECT_DOUBLE_EQ(score.value, stored.at("score").get<double>());
  const std::vector<float> floats(sums.begin(), sums.end());
  const std::vector<double> rounded(floats.begin(), floats.end());
  EXPECT_DOUBLE_EQ(metric->value({rounded, Sums::Type::Float32}), stored.at("resampled").get<double>());
  const Signature signature = metric->signature({.references = references.count()});
  EXPECT_EQ(result_line(score, signature.text(), 4), stored.at("line").get<std::string>());
  EXPECT_EQ(signature.short_text(), stored.at("short").get<std::string>());
}

TEST(SacreBleu, ScoresOfStoredCorporaAreEqual) {
  const Json corpora = testing::stored_json("metrics/data/corpora.json");
  const Json scores = testing::stored_json("metrics/data/scores.json");
  ASSERT_GT(scores.size(), 300u);
  for (const Json& stored : scores) {
    const Json& corpus = corpora.at(stored.at("corpus").get<size_t>());
    SCOPED_TRACE(stored.dump().substr(0, 200) + corpus.dump().substr(0, 400));
    expect_stored_score(stored, corpus);
  }
}

std::string joined(const Texts& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The tokens of a line, as a metric sees them.
std::string tokens(const Json& options, const std::string& line) {
  std::string text;
  std::string scratch;
  if (options.contains("tokenize")) {
    make_tokenizer(options_from<BleuOptions>(options).tokenize)->tokenize(strip_right(line), text, scratch);
  } else {
    tokenize_ter(options_from<TerOptions>(options), strip_right(line), text, scratch);
  }
  Texts words;
  for (const std::string_view word : split_whitespace(text)) words.emplace_back(word);
  return joined(words);
}

TEST(SacreBleu, TokensOfStoredLinesAreEqual) {
  const Json stored = testing::stored_json("metrics/data/tokenizers.json");
  const auto lines = stored.at(0).at("lines").get<Texts>();
  ASSERT_GT(stored.size(), 12u);
  for (size_t t = 1; t < stored.size(); ++t) {
    const Json& changed = stored.at(t).at("tokens");
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto whole = split_whitespace(lines[i]);
      const std::string expected = changed.value(std::to_string(i), joined({whole.begin(), whole.end()}));
      EXPECT_EQ(tokens(stored.at(t).at("options"), lines[i]), expected) << stored.at(t).at("options") << " line " << i;
    }
  }
}

}  // namespace
}  // namespace heed::metrics
