#include "heed/metrics/labels/macro_f1.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "metrics/labels/stored_labels.h"
#include "metrics/refused.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(MacroF1, IsTheMeanOfTheClasses) {
  const std::vector<Texts> systems{{"a", "a", "b", "c"}, {"d", "d", "d", "d"}};
  const References references = References::from_lines({{"a"}, {"b"}, {"b"}, {"b"}});
  const MacroF1 metric(references, systems);
  // a: 1 right of 2 and 1; b: 1 right of 1 and 3; c: found alone; d is the other system's.
  const Score score = metric.corpus_score(systems[0], references);
  EXPECT_DOUBLE_EQ(score.value, 100 * (2.0 / 3 + 2.0 / 4 + 0) / 3);
  EXPECT_EQ(metric.line(score, "", 2), "macro F1 = 38.89 (classes = 3 labels = 4)");
  EXPECT_EQ(metric.corpus_score(systems[1], references).value, 0);
}

TEST(MacroF1, OfStoredLabelsIsThatOfScikitLearn) {
  for (const StoredLabels& stored : stored_labels("classes")) {
    const std::vector<Texts> systems{stored.found};
    const References references = stored.references();
    const double value = MacroF1(references, systems).corpus_score(stored.found, references, 2).value;
    EXPECT_NEAR(value, stored.percent("macro-f1"), 1e-12);
  }
}

TEST(MacroF1, AResampleHasTheClassesThatOccurInIt) {
  const std::vector<Texts> systems{{"a", "b"}};
  const References references = References::from_lines({{"a"}, {"a"}});
  const MacroF1 metric(references, systems);
  const CorpusStatistics statistics = metric.extract(systems[0], references);
  EXPECT_EQ(metric.score(statistics.row(0)).value, 100);
  EXPECT_EQ(metric.score(std::vector<double>(6, 0)).value, 0);
}

TEST(MacroF1, RefusesWhatItCannotCount) {
  const std::vector<Texts> systems{{"a", "a b"}};
  const References references = References::from_lines({{"a"}, {"a"}});
  EXPECT_EQ(refused(MacroF1(references, systems), "a", "a b", {"a"}), "line 2: expected 1 label, found 2");
  EXPECT_THROW(MacroF1(references, systems).sentence_score("c", Texts{"a"}), std::logic_error);
  Texts lines(20000);
  for (size_t i = 0; i < lines.size(); ++i) lines[i] = std::to_string(i);
  const References many = References::from_files({lines});
  try {
    MacroF1(many, std::vector<Texts>{lines});
    FAIL() << "three numbers of each label on each line take 9.6 GB";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "20000 different labels on 20000 lines are too many to count each");
  }
}

}  // namespace
}  // namespace heed::metrics
