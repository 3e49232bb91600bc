#include "heed/metrics/labels/span_f1.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "heed/core/text/unicode.h"
#include "metrics/labels/stored_labels.h"
#include "metrics/refused.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

/// "PER 0-2 LOC 3-4"
std::string spans_of(const std::string& tags) {
  std::vector<LabelledSpan> spans;
  find_spans(split_whitespace(tags), spans);
  std::string text;
  for (const auto& [type, begin, end] : spans) {
    text += fmt::format("{}{} {}-{}", text.empty() ? "" : " ", type, begin, end);
  }
  return text;
}

TEST(FindSpans, ReadsEverySchemeAndEverySequence) {
  EXPECT_EQ(spans_of("B-PER I-PER O B-LOC"), "PER 0-2 LOC 3-4");
  EXPECT_EQ(spans_of("B-PER B-PER I-PER"), "PER 0-1 PER 1-3");
  EXPECT_EQ(spans_of("I-PER I-PER B-PER O I-LOC"), "PER 0-2 PER 2-3 LOC 4-5") << "IOB1";
  EXPECT_EQ(spans_of("B-PER E-PER S-PER B-LOC I-LOC E-LOC"), "PER 0-2 PER 2-3 LOC 3-6") << "IOBES";
  EXPECT_EQ(spans_of("B-PER I-LOC I-LOC"), "PER 0-1 LOC 1-3") << "another type begins a span";
  EXPECT_EQ(spans_of("B-PER E-PER I-PER E-PER E-PER"), "PER 0-2 PER 2-4 PER 4-5") << "so does what follows an end";
  EXPECT_EQ(spans_of("S-PER I-PER"), "PER 0-1 PER 1-2");
  EXPECT_EQ(spans_of("B-A-B I-A-B"), "A-B 0-2") << "types may have hyphens";
  EXPECT_EQ(spans_of("B I O I"), " 0-2  3-4") << "types may be missing";
  EXPECT_EQ(spans_of("O O"), "");
  EXPECT_EQ(spans_of(""), "");
}

TEST(SpanF1, CountsSpansWithTheSameTypeAndEnds) {
  const SpanF1 metric;
  const References references = References::from_lines({{"B-PER I-PER O B-LOC"}, {"B-PER O"}});
  const Score score = metric.corpus_score(Texts{"B-PER I-PER O B-PER", "B-PER I-PER"}, references);
  EXPECT_DOUBLE_EQ(score.value, 100.0 / 3);
  EXPECT_EQ(metric.line(score, ""), "span F1 = 33.3 (precision = 33.3 recall = 33.3 right = 1 found = 3 gold = 3)");
  EXPECT_EQ(metric.sentence_score("O", Texts{"O"}).value, 0);
}

TEST(SpanF1, OfStoredTagsIsThatOfSeqeval) {
  const auto cases = stored_labels("spans");
  ASSERT_GT(cases.size(), 60u);
  const SpanF1 metric;
  for (const StoredLabels& stored : cases) {
    SCOPED_TRACE(stored.values.dump());
    const Score score = metric.corpus_score(stored.found, stored.references());
    EXPECT_NEAR(score.value, stored.percent("f1"), 1e-12);
    const std::string both =
        fmt::format("(precision = {:.1f} recall = {:.1f} ", stored.percent("precision"), stored.percent("recall"));
    EXPECT_TRUE(score.verbose.starts_with(both)) << score.verbose;
  }
}

TEST(SpanF1, RefusesWhatAreNoTags) {
  const SpanF1 metric;
  EXPECT_EQ(refused(metric, "O", "O O", {"O"}), "line 2: expected 1 label, found 2");
  for (const std::string tag : {"NOUN", "X-PER", "BPER", "o", "O-PER", "-PER", "Ä-PER"}) {
    EXPECT_EQ(refused(metric, "O", tag, {"O"}),
              "line 2: expected tags such as O, B-PER, I-PER, E-PER and S-PER, found `" + tag + "`");
  }
}

}  // namespace
}  // namespace heed::metrics
