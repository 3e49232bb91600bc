#include "heed_torch/training/frequency_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/text/targets/labels.h"
#include "heed/text/word_tokenizer.h"
#include "support/temporary_directory.h"

namespace heed::training {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

/// Of a validation text with these targets, which are lines of these tokens.
std::optional<double> loss_of(const std::string& targets, const std::shared_ptr<const text::Tokenizer>& of_target) {
  const heed::testing::TemporaryDirectory folder;
  const auto words =
      std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, std::vector<std::string>{"a"});
  write_file(folder.file("s"), repeated("a\n", static_cast<int>(std::ranges::count(targets, '\n'))));
  write_file(folder.file("t"), targets);
  data::build_corpus(folder.file("corpus"), {.source = {folder.file("s")}, .target = {folder.file("t")}, .pairs = {}},
                     {.source = words, .target = of_target}, {});
  return frequency_loss(data::EncodedCorpus(folder.file("corpus")));
}
std::optional<double> loss_of_words(const std::string& targets,
                                    const std::vector<std::string>& vocabulary = {"a", "b"}) {
  return loss_of(targets, std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, vocabulary));
}

TEST(FrequencyLoss, IsTheEntropyOfTheTargetTokens) {
  // a 2 of 5, b 1 of 5, end-of-sentence 2 of 5
  const double expected = -2 * 0.4 * std::log(0.4) - 0.2 * std::log(0.2);
  const auto loss = loss_of_words(repeated("a b\na\n", 20));
  ASSERT_TRUE(loss.has_value());
  EXPECT_NEAR(*loss, expected, 1e-12);
}

TEST(FrequencyLoss, IsNoneWhereThereIsNothingToLearn) {
  const auto labels =
      std::make_shared<text::LabelTokenizer>(text::LabelUnit::Line, std::vector<std::string>{"no", "yes"});
  EXPECT_TRUE(loss_of(repeated("yes\nno\n", 100), labels).has_value());
  EXPECT_EQ(loss_of(repeated("yes\n", 200), labels), std::nullopt);
}

TEST(FrequencyLoss, IsNoneWhereFewTokensTellNoFrequencies) {
  EXPECT_EQ(loss_of_words(repeated("a b\na\n", 19)), std::nullopt) << "95 tokens";
  std::string many;
  std::vector<std::string> words;
  for (int i = 0; i < 200; ++i) {
    words.push_back("w" + std::to_string(i));
    many += words.back() + (i % 20 == 19 ? "\n" : " ");
  }
  EXPECT_EQ(loss_of_words(many, words), std::nullopt) << "each once";
  EXPECT_TRUE(loss_of_words(repeated(many, 2), words).has_value());
}

TEST(FrequencyLoss, ALossCloseToItIsOfAModelThatHasLearnedLittle) {
  EXPECT_TRUE(has_learned_little(6.2, 6));
  EXPECT_TRUE(has_learned_little(5.41, 6));
  EXPECT_FALSE(has_learned_little(5.39, 6));
}

}  // namespace
}  // namespace heed::training
