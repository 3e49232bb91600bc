#include "heed/metrics/ter/ter.h"

#include <gtest/gtest.h>

#include "heed/core/text/unicode.h"

namespace heed::metrics {
namespace {

using Texts = std::vector<std::string>;

/// Edits and length of the reference.
std::vector<double> statistics(const std::string& hypothesis, const Texts& references, const TerOptions& options = {}) {
  return Ter(options).extract(Texts{hypothesis}, References::from_lines({references})).sums();
}

Texts tokens(const std::string& line, const TerOptions& options) {
  std::string tokenized;
  std::string scratch;
  tokenize_ter(options, line, tokenized, scratch);
  Texts words;
  for (const auto word : split_whitespace(tokenized)) words.emplace_back(word);
  return words;
}

TEST(Ter, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(statistics("a b c", {"a b c"}), (std::vector<double>{0, 3}));
  EXPECT_EQ(statistics("a x c d", {"a b c"}), (std::vector<double>{2, 3}));
  EXPECT_EQ(statistics("a c", {"a b c"}), (std::vector<double>{1, 3}));
}

TEST(Ter, AShiftIsOneEditHoweverLong) {
  EXPECT_EQ(statistics("d e f a b c", {"a b c d e f"}), (std::vector<double>{1, 6}));
  EXPECT_EQ(statistics("b a d c", {"a b c d"}), (std::vector<double>{2, 4}));
}

TEST(Ter, RunsLongerThanTenWordsAreNotShifted) {
  const std::string ten = "b0 b1 b2 b3 b4 b5 b6 b7 b8 b9";
  const std::string other = "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9";
  EXPECT_EQ(statistics(ten + " " + other + " x", {other + " " + ten + " x"})[0], 1);
  EXPECT_GT(statistics(ten + " b " + other + " a x", {other + " a " + ten + " b x"})[0], 1);
}

TEST(Ter, TakesTheFewestEditsAndTheMeanLength) {
  EXPECT_EQ(statistics("a b", {"x y z", "a b", "a"}), (std::vector<double>{0, 2}));
}

TEST(Ter, EmptyReferencesCountEveryWordAndScore100) {
  EXPECT_EQ(statistics("a b", {""}), (std::vector<double>{2, 0}));
  EXPECT_EQ(Ter().sentence_score("a b", Texts{""}).value, 100);
  EXPECT_EQ(Ter().sentence_score("", Texts{""}).value, 0);
  EXPECT_EQ(statistics("", {"a b"}), (std::vector<double>{2, 2}));
}

TEST(Ter, ReferencesAreTokenizedTwiceAsBySacreBleu) {
  EXPECT_EQ(statistics("the dog's.", {"the dog's."}, {.normalized = true}), (std::vector<double>{2, 4}));
  EXPECT_EQ(statistics("the dog 's .", {"the dog's."}, {.normalized = true}), (std::vector<double>{0, 4}));
}

TEST(Ter, ComparesWithoutCaseUnlessAsked) {
  EXPECT_EQ(statistics("A b", {"a B"})[0], 0);
  EXPECT_EQ(statistics("A b", {"a B"}, {.case_sensitive = true})[0], 2);
}

TEST(Ter, SignatureSaysTheOptions) {
  EXPECT_EQ(Ter().signature().text(), "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0");
  const Ter other({.normalized = true, .no_punct = true, .asian_support = true, .case_sensitive = true});
  EXPECT_EQ(other.signature().short_text(), "#:1|c:mixed|t:tercom|nr:yes|pn:no|as:yes|v:2.6.0");
}

TEST(TerTokenizer, NormalizesAsTercom) {
  const TerOptions normalized{.normalized = true, .case_sensitive = true};
  EXPECT_EQ(tokens("the dog's", normalized), (Texts{"the", "dog", "'s"}));
  EXPECT_EQ(tokens("the dog's.", normalized), (Texts{"the", "dog's", "."}));
  EXPECT_EQ(tokens("1,5 &amp;quot; 3-4 (a)", normalized),
            (Texts{"1,5", "&", "quot", ";", "3", "-", "4", "(", "a", ")"}));
  EXPECT_EQ(tokens("a\n-b\nc", normalized), (Texts{"ab", "c"}));
}

TEST(TerTokenizer, SplitsChineseButNotKana) {
  const TerOptions asian{.normalized = true, .asian_support = true};
  EXPECT_EQ(tokens("世界です。カナ㌀", asian), (Texts{"世", "界", "です", "。", "カナ", "㌀"}));
  EXPECT_EQ(tokens("ひらがな", asian), (Texts{"ひらがな"}));
  EXPECT_EQ(tokens("世界です。", {.normalized = true}), (Texts{"世界です。"}));
}

TEST(TerTokenizer, LeavesPunctuationOut) {
  EXPECT_EQ(tokens("a.b, (c)! -d。", {.no_punct = true}), (Texts{"ab", "c", "-d。"}));
  EXPECT_EQ(tokens("a。b，（c）", {.no_punct = true, .asian_support = true}), (Texts{"abc"}));
}

}  // namespace
}  // namespace heed::metrics
