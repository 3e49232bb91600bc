#include "heed/metrics/labels/accuracy.h"

#include <gtest/gtest.h>

#include "metrics/labels/stored_labels.h"
#include "metrics/refused.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

TEST(Accuracy, IsTheShareOfLabelsInTheirPlaces) {
  const Accuracy accuracy;
  const References references = References::from_lines({{"NOUN VERB  NOUN"}, {"DET"}, {""}});
  const Score score = accuracy.corpus_score(Texts{"NOUN NOUN VERB", " DET ", ""}, references);
  EXPECT_EQ(score.value, 50);
  EXPECT_EQ(accuracy.line(score, "", 1), "accuracy = 50.0 (right = 2 labels = 4)");
  EXPECT_EQ(accuracy.sentence_score("", Texts{""}).value, 0);
}

TEST(Accuracy, OfStoredLabelsIsThatOfScikitLearn) {
  for (const StoredLabels& stored : stored_labels("classes")) {
    EXPECT_EQ(Accuracy().corpus_score(stored.found, stored.references()).value, stored.percent("accuracy"));
  }
}

TEST(Accuracy, RefusesAnotherNumberOfLabels) {
  EXPECT_EQ(refused(Accuracy(), "a", "a", {"a b"}), "line 2: expected 2 labels, found 1");
  EXPECT_EQ(refused(Accuracy(), "a", "a b", {"a"}), "line 2: expected 1 label, found 2");
  EXPECT_EQ(refused(Accuracy(), "a", "", {"a"}), "line 2: expected 1 label, found 0");
  EXPECT_EQ(refused(Accuracy(), "a", "a", {"a", "a"}), "line 2: labels are compared with one reference, found 2");
}

}  // namespace
}  // namespace heed::metrics
