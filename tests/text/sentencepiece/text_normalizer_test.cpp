#include "heed/text/sentencepiece/text_normalizer.h"

#include <gtest/gtest.h>

#include "heed/text/sentencepiece/sentence_piece_training.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

TEST(TextNormalizer, GivesWhatAModelSees) {
  const TextNormalizer nfkc(Normalizer::NmtNfkc);
  EXPECT_EQ(nfkc("  km²  …\t™ "), "km2 ... TM");
  EXPECT_EQ(nfkc(""), "");
  const TextNormalizer whitespace(Normalizer::Whitespace);
  EXPECT_EQ(whitespace("  km²  …\t™\u00a0 "), "km² … ™\u00a0");
  EXPECT_EQ(TextNormalizer(Normalizer::Identity)(" a  b "), " a  b ");
  EXPECT_EQ(TextNormalizer(Normalizer::NmtNfkc, {"①", "²"})("① ②²³"), "① 2²3") << "user-defined symbols stay";
  EXPECT_EQ(TextNormalizer(Normalizer::NfkcCaseFolded)("STRAẞE É"), "straße é");
}

TEST(TextNormalizer, ChangesOnlyTheNormalizerOfAModel) {
  using testing::small_corpus, testing::source_of;
  const auto learned = learn_sentence_pieces("unigram", {}, Normalizer::NmtNfkc, 70, source_of(small_corpus()));
  const std::string other = TextNormalizer(Normalizer::Identity).put_into(learned->serialized());
  EXPECT_NE(other, learned->serialized());
  EXPECT_EQ(TextNormalizer(Normalizer::NmtNfkc).put_into(other), learned->serialized());
}

}  // namespace
}  // namespace heed::text
