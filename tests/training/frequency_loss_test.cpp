#include "heed_torch/training/frequency_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heed/core/files/atomic_file.h"
#include "heed/text/word_tokenizer.h"
#include "support/temporary_directory.h"

namespace heed::training {
namespace {

TEST(FrequencyLoss, IsTheEntropyOfTheTargetTokens) {
  const heed::testing::TemporaryDirectory folder;
  const auto tokenizer =
      std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, std::vector<std::string>{"a", "b"});
  const text::Tokenizers tokenizers{.source = tokenizer, .target = tokenizer};
  write_file(folder.file("s"), "b\nb\n");
  write_file(folder.file("t"), "a b\na\n");
  data::build_corpus(folder.file("corpus"), {.source = {folder.file("s")}, .target = {folder.file("t")}, .pairs = {}},
                     tokenizers, {});
  // a 2 of 5, b 1 of 5, end-of-sentence 2 of 5
  const double expected = -2 * 0.4 * std::log(0.4) - 0.2 * std::log(0.2);
  EXPECT_NEAR(*frequency_loss(data::EncodedCorpus(folder.file("corpus"))), expected, 1e-12);
}

TEST(FrequencyLoss, ALossCloseToItIsOfAModelThatHasLearnedLittle) {
  EXPECT_TRUE(has_learned_little(6.2, 6));
  EXPECT_TRUE(has_learned_little(5.41, 6));
  EXPECT_FALSE(has_learned_little(5.39, 6));
}

}  // namespace
}  // namespace heed::training
