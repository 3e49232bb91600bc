#include "heed/data/batches/token_links.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heed/core/random.h"
#include "heed/text/bpe/bpe_tokenizer.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/word_tokenizer.h"

namespace heed::data {
namespace {

using Words = std::vector<std::string>;

/// The links between the tokens that the tokenizers make of both lines.
std::vector<TokenLink> links_of(const TextPair& text, const text::Tokenizers& tokenizers) {
  return token_links(text, tokenizers.source->encode(text.source), tokenizers.target->encode(text.target), tokenizers);
}

text::Tokenizers word_tokenizers(const std::optional<std::string>& separator = std::nullopt) {
  const auto tokenizer =
      std::make_shared<text::WordTokenizer>(text::WordTokenizer::kTokensEnding, Words{"a", "b", "c"}, separator);
  return {.source = tokenizer, .target = tokenizer};
}

TEST(TokenLinks, OfWordsAreThoseOfTheAlignment) {
  EXPECT_EQ(links_of({.source = " a  b", .target = "c x", .alignment = "1-0 0-1 1-1"}, word_tokenizers()),
            (std::vector<TokenLink>{{.source = 0, .target = 1, .share = 0.5F},
                                    {.source = 1, .target = 0},
                                    {.source = 1, .target = 1, .share = 0.5F}}));
  EXPECT_TRUE(links_of({.source = "a", .target = "b", .alignment = ""}, word_tokenizers()).empty());
}

TEST(TokenLinks, OfTextThatIsTokensAlreadyCountThem) {
  EXPECT_EQ(links_of({.source = "a@@ b c", .target = "c", .alignment = "2-0"}, word_tokenizers("@@")),
            (std::vector<TokenLink>{{.source = 2, .target = 0}}));
}

TEST(TokenLinks, LinkAllSubwordsOfTheWords) {
  const auto letters = std::make_shared<text::CharacterTokenizer>(Words{" ", "a", "b", "c"});
  // a b|c -> b|x: the space between words belongs to the word after it.
  const std::vector<TokenLink> found =
      links_of({.source = "a bc", .target = "bx", .alignment = "1-0"}, {.source = letters, .target = letters});
  ASSERT_EQ(found.size(), 6U);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].target, static_cast<int64_t>(i / 3));
    EXPECT_EQ(found[i].source, static_cast<int64_t>(1 + i % 3));
    EXPECT_FLOAT_EQ(found[i].share, 1.0F / 3);
  }
}

TEST(TokenLinks, FollowASampledSegmentation) {
  const text::BpeTokenizer whole({.codes = {.merges = {{"a", "b</w>"}}}, .entries = {"ab", "a@@", "b", "c"}});
  const auto dropping = whole.with_dropout(1);
  const text::Tokenizers tokenizers{.source = dropping, .target = dropping};
  const TextPair text{.source = "c ab", .target = "ab c", .alignment = "1-0 0-1"};
  RandomStream random(1, Purpose::Test);
  const auto found = token_links(text, dropping->sample(text.source, random), whole.encode(text.target), tokenizers);
  EXPECT_EQ(found, (std::vector<TokenLink>{{.source = 0, .target = 1},
                                           {.source = 1, .target = 0, .share = 0.5F},
                                           {.source = 2, .target = 0, .share = 0.5F}}));
  const text::Ids other = dropping->sample("c ab a", random);
  EXPECT_TRUE(token_links(text, other, whole.encode(text.target), tokenizers).empty()) << "ids of other words";
}

}  // namespace
}  // namespace heed::data
