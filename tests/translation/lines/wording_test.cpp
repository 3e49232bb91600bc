#include "heed/translation/lines/wording.h"

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

/// Words w0 to w9 have the ids 4 to 13.
class WordingTest : public ::testing::Test {
 protected:
  Wording with_terms(const std::string& content) {
    Wording wording(text::numbered_words(10));
    write_file(directory.file("terms"), content);
    wording.read_terms(directory.file("terms"));
    return wording;
  }
  std::string complaint(const std::string& content) {
    return testing::message_of<InputError>([&] { with_terms(content); });
  }

  testing::TemporaryDirectory directory;
};

TEST_F(WordingTest, TermsOfTheSourceAreRequired) {
  const Wording wording = with_terms("cat\tw1 w2\n\n dog \t w3\n");
  const auto demands = wording.demands("dog and cat", "");
  ASSERT_TRUE(demands);
  EXPECT_EQ(demands->required, (std::vector<text::Ids>{{7}, {5, 6}}));
  EXPECT_TRUE(demands->prefix.empty());
  EXPECT_EQ(wording.demands("bird", ""), nullptr);
}

TEST_F(WordingTest, APrefixIsInTokensOfTheTarget) {
  const Wording wording(text::numbered_words(10));
  EXPECT_EQ(wording.demands("cat", "w4 w5 ")->prefix, (text::Ids{8, 9}));
  EXPECT_EQ(wording.demands("cat", "unknown w5")->prefix, (text::Ids{text::kUnk, 9}));
  EXPECT_EQ(wording.demands("cat", "  "), nullptr);
}

TEST_F(WordingTest, ATagStandsBeforeThePrefix) {
  Wording wording(text::numbered_words(10));
  wording.tag("w9");
  EXPECT_EQ(wording.demands("cat", "")->prefix, (text::Ids{13}));
  const auto demands = wording.demands("cat", "w4");
  EXPECT_EQ(demands->prefix, (text::Ids{13, 8}));
  EXPECT_EQ(demands->tag, 1U);
  EXPECT_EQ(testing::message_of<ConfigError>([&] { wording.tag("<2de>"); }),
            "`--target-tag` '<2de>' is none that the model's vocabulary can spell");
}

TEST_F(WordingTest, ForbiddenPhrasesAreForbiddenToAll) {
  Wording wording(text::numbered_words(10));
  write_file(directory.file("never"), "w1 w2\n\nw3\n");
  wording.read_forbidden(directory.file("never"));
  ASSERT_EQ(wording.demands("cat", "")->forbidden.size(), 2U);
}

TEST_F(WordingTest, WhatIsNoTermIsNamed) {
  const std::string file = directory.file("terms");
  EXPECT_EQ(complaint("cat\tw1\ndog w2\n"), file + ":2: expected SOURCE TAB TARGET, found no tab");
  EXPECT_EQ(complaint("cat\tw1\tw2\n"), file + ":1: expected SOURCE TAB TARGET, found several tabs");
  EXPECT_EQ(complaint(" \tw1\n"), file + ":1: the source term is blank");
  EXPECT_EQ(complaint("cat\t \n"), file + ":1: the target term is blank");
  EXPECT_EQ(complaint("cat\tw1 w77\n"), file + ":1: the model's vocabulary cannot spell 'w1 w77'");
  EXPECT_EQ(complaint("cat\tw1\ncat\tw2\n"), file + ":2: 'cat' has a translation in an earlier line");
}

}  // namespace
}  // namespace heed::translation
