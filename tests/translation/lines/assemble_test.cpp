#include "heed/translation/lines/assemble.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

search::Hypothesis hypothesis(std::vector<int32_t> ids, double log_probability) {
  search::Hypothesis result;
  result.ids = std::move(ids);
  result.log_probability = log_probability;
  return result;
}

/// The source is of numbered_words.
TranslatedPart translated(const text::Ids& source, bool space_before, std::vector<search::Hypothesis> hypotheses) {
  TranslatedPart part;
  part.part.ids = source;
  part.part.text = text::numbered_words(9)->decode(source);
  part.part.space_before = space_before;
  part.hypotheses = std::move(hypotheses);
  return part;
}

text::Tokenizers both(const std::shared_ptr<const text::Tokenizer>& tokenizer) { return {tokenizer, tokenizer}; }

using Weights = std::vector<std::vector<float>>;

TEST(Assemble, OnePartIsItsHypothesis) {
  const auto tokenizer = text::numbered_words(9);
  TranslatedPart part = translated({4, 5}, false, {hypothesis({6, 7, 8}, -2)});
  part.hypotheses[0].token_log_probabilities = {-1, -0.5, -0.25, -0.25};
  part.hypotheses[0].attention = {{0.5, 0.25, 0.25}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  const Translation line = assemble({&part, 1}, both(tokenizer), search::SearchOptions{});
  EXPECT_EQ(line.text, "w2 w3 w4");
  EXPECT_EQ(line.log_probability, -2);
  EXPECT_EQ(line.score, -0.5);
  EXPECT_EQ(line.source, (text::Ids{4, 5}));
  EXPECT_EQ(line.target, (text::Ids{6, 7, 8}));
  EXPECT_EQ(line.token_log_probabilities, part.hypotheses[0].token_log_probabilities);
  EXPECT_EQ(line.attention, (Weights{{0.5, 0.25}, {0, 1}, {0, 0}}));
  EXPECT_EQ(line.parts, 1);
  EXPECT_TRUE(line.complete);
  EXPECT_TRUE(line.others.empty());
}

TEST(Assemble, PartsAreJoinedAsTheSourceWas) {
  const auto tokenizer = text::numbered_words(9);
  std::vector<TranslatedPart> parts{translated({4, 5}, false, {hypothesis({6}, -1)}),
                                    translated({6}, true, {hypothesis({7, 8}, -2)}),
                                    translated({7}, false, {hypothesis({9}, -4)})};
  parts[0].hypotheses[0].attention = {{0.5, 0.5, 0}, {0, 0, 1}};
  parts[1].hypotheses[0].attention = {{1, 0}, {0.75, 0.25}, {0, 1}};
  parts[2].hypotheses[0].attention = {{0.5, 0.5}, {0, 1}};
  parts[1].hypotheses[0].complete = false;
  const Translation line = assemble(parts, both(tokenizer), search::SearchOptions{});
  EXPECT_EQ(line.text, "w2 w3 w4w5");
  EXPECT_EQ(line.log_probability, -7);
  EXPECT_EQ(line.score, -1);  // four words and an end-of-sentence for each part
  EXPECT_EQ(line.parts, 3);
  EXPECT_FALSE(line.complete);
  EXPECT_EQ(line.attention, (Weights{{0.5, 0.5, 0, 0}, {0, 0, 1, 0}, {0, 0, 0.75, 0}, {0, 0, 0, 0.5}}));
  const text::Alignment alignment = word_alignment(line);
  EXPECT_EQ(alignment.source, (std::vector<std::string>{"w0", "w1", "w2w3"}));
  EXPECT_EQ(alignment.target, (std::vector<std::string>{"w2", "w3", "w4w5"}));
  EXPECT_EQ(alignment.weights, (Weights{{0.5, 0.5, 0}, {0, 0, 1}, {0, 0, 0.625}}));
  EXPECT_EQ(token_alignment(line, both(tokenizer)).source, (std::vector<std::string>{"w0", "w1", "w2", "w3"}));
  EXPECT_EQ(token_alignment(line, both(tokenizer)).weights, line.attention);
}

/// Chinese and English words, with the ids of Word.
std::shared_ptr<const text::Tokenizer> with_words() {
  return text::numbered_words(0, {"红房子。", "狗喜欢。", "house.", "dog", "likes."});
}
enum Word : int32_t { Hong = 4, Gou, House, Dog, Likes };

/// Parts of one source token each, and the translations of each; spaces: before each part.
Translation joined(const std::vector<int32_t>& sources, const std::vector<text::Ids>& targets, bool spaces) {
  std::vector<TranslatedPart> parts;
  for (size_t i = 0; i < sources.size(); ++i) {
    TranslatedPart part;
    part.part = {
        .ids = {sources[i]}, .space_before = spaces && i > 0, .text = with_words()->decode(text::Ids{sources[i]})};
    part.hypotheses = {hypothesis(targets[i], -1)};
    part.hypotheses[0].attention.assign(targets[i].size() + 1, {1, 0});
    parts.push_back(part);
  }
  return assemble(parts, both(with_words()), search::SearchOptions{});
}

TEST(Assemble, SpacingIsThatOfTheTargetsScript) {
  const Translation english = joined({Hong, Gou}, {{House}, {Dog, Likes}}, false);
  EXPECT_EQ(english.text, "house. dog likes.");
  const text::Alignment to_english = word_alignment(english);
  EXPECT_EQ(to_english.source, std::vector<std::string>{"红房子。狗喜欢。"});
  EXPECT_EQ(to_english.target, (std::vector<std::string>{"house.", "dog", "likes."}));
  const Translation chinese = joined({House, Likes}, {{Hong}, {Gou}}, true);
  EXPECT_EQ(chinese.text, "红房子。狗喜欢。");
  const text::Alignment to_chinese = word_alignment(chinese);
  EXPECT_EQ(to_chinese.source, (std::vector<std::string>{"house.", "likes."}));
  EXPECT_EQ(to_chinese.target, std::vector<std::string>{"红房子。狗喜欢。"});
  EXPECT_EQ(to_chinese.weights, (Weights{{0.5, 0.5}})) << "one word, of two tokens";
}

TEST(Assemble, AnEmptyTranslationLeavesOneBlank) {
  EXPECT_EQ(joined({House, Dog, Likes}, {{House}, {}, {Dog}}, true).text, "house. dog");
  EXPECT_EQ(joined({Hong, Gou, Hong}, {{House}, {}, {Dog}}, false).text, "house. dog");
  EXPECT_EQ(joined({House, Dog}, {{}, {Dog}}, true).text, "dog");
  EXPECT_EQ(joined({House, Dog}, {{Dog}, {}}, true).text, "dog");
}

TEST(Assemble, WordsOfAPartThatWasLeftOutAreStillCounted) {
  const auto tokenizer = text::numbered_words(9);
  std::vector<TranslatedPart> parts{translated({4}, false, {hypothesis({}, -1)}),
                                    translated({5}, true, {hypothesis({6}, -2)})};
  parts[0].hypotheses[0].attention = {{0.5, 0.5}};
  parts[1].hypotheses[0].attention = {{1, 0}, {0, 1}};
  const text::Alignment alignment = word_alignment(assemble(parts, both(tokenizer), search::SearchOptions{}));
  EXPECT_EQ(alignment.source, (std::vector<std::string>{"w0", "w1"}));
  EXPECT_EQ(alignment.target, (std::vector<std::string>{"w2"}));
  EXPECT_EQ(alignment.weights, (Weights{{0, 1}}));
}

TEST(Assemble, HeadsAreJoinedAsTheAttentionIs) {
  const auto tokenizer = text::numbered_words(9);
  std::vector<TranslatedPart> parts{translated({4, 5}, false, {hypothesis({6}, -1), hypothesis({}, -3)}),
                                    translated({7}, false, {hypothesis({9, 8}, -2)})};
  for (TranslatedPart& part : parts) {
    for (search::Hypothesis& found : part.hypotheses) {
      found.attention.assign(std::max<size_t>(1, found.ids.size()), std::vector<float>(part.part.ids.size() + 1, 1.0F));
    }
  }
  parts[0].heads = {{{{{0.5, 0.25, 0.25}}}, {{{0, 1, 0}}}}, {{{{0, 0, 1}}}, {{{1, 0, 0}}}}};  // two layers of one head
  parts[1].heads = {{{{{0.5, 0.5}, {0.75, 0.25}}}, {{{0, 1}, {1, 0}}}}};
  const Translation best = assemble(parts, both(tokenizer), search::SearchOptions{});
  EXPECT_EQ(best.heads,
            (text::HeadWeights{{{{0.5, 0.25, 0}, {0, 0, 0.5}, {0, 0, 0.75}}}, {{{0, 1, 0}, {0, 0, 0}, {0, 0, 1}}}}));
  const text::Alignment alignment = word_alignment(best);  // w0 w1w3 -> w2w5 w4, as no space is between the parts
  EXPECT_EQ(alignment.heads, (text::HeadWeights{{{{0.25, 0.375}, {0, 0.75}}}, {{{0, 0.5}, {0, 1}}}}));
  EXPECT_EQ(token_alignment(best, both(tokenizer)).heads, best.heads);
  ASSERT_EQ(best.others.size(), 1U);  // whose first part has no words
  EXPECT_EQ(best.others[0].heads, (text::HeadWeights{{{{0, 0, 0.5}, {0, 0, 0.75}}}, {{{0, 0, 0}, {0, 0, 1}}}}));
}

TEST(Assemble, AttentionToVectorsStandsBehindThatToTheText) {
  const auto tokenizer = text::numbered_words(9);
  TranslatedPart part = translated({4, 5}, false, {hypothesis({6}, -1)});
  part.item = std::make_shared<search::SourceItem>(
      search::SourceItem{.shape = {1, 2}, .values = {}, .positions = 2, .has_text = true});
  part.hypotheses[0].attention = {{0.125, 0.25, 0.0625, 0.5, 0.0625}, {0, 0, 1, 0, 0}};  // w0 w1 end vector vector
  const Translation line = assemble({&part, 1}, both(tokenizer), search::SearchOptions{});
  EXPECT_EQ(line.attention, (Weights{{0.125, 0.25}}));
  EXPECT_EQ(line.item_attention, (Weights{{0.5, 0.0625}}));
}

TEST(Assemble, UnknownTokensAreReplacedPartByPart) {
  const auto tokenizer = text::numbered_words(9);
  std::vector<TranslatedPart> parts{translated({4, 5}, false, {hypothesis({6, text::kUnk}, -1)}),
                                    translated({7}, true, {hypothesis({text::kUnk}, -1)})};
  parts[0].hypotheses[0].attention = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  parts[1].hypotheses[0].attention = {{1, 0}, {0, 1}};
  const UnknownWordReplacer unknown(tokenizer);
  EXPECT_EQ(assemble(parts, both(tokenizer), search::SearchOptions{}, &unknown).text, "w2 w1 w3");
}

TEST(Assemble, ATagCountsInTheLengthAlone) {
  const auto tokenizer = text::numbered_words(9);
  TranslatedPart part = translated({4}, false, {hypothesis({6}, -3)});
  part.prefix = "w2";
  part.constraints =
      std::make_shared<const search::SentenceConstraints>(search::SentenceConstraints{.prefix = {12, 6}, .tag = 1});
  const Translation line = assemble({&part, 1}, both(tokenizer), search::SearchOptions{});
  EXPECT_EQ(line.text, "w2");
  EXPECT_EQ(line.score, -1) << "over the tag, a word and end-of-sentence";
}

TEST(Assemble, WithoutAttentionThereAreNoWords) {
  const auto tokenizer = text::numbered_words(9);
  const TranslatedPart part = translated({4}, false, {hypothesis({5}, -1)});
  EXPECT_TRUE(assemble({&part, 1}, both(tokenizer), search::SearchOptions{}).target_words.names.empty());
}

TEST(Assemble, NthBestIsMadeOfNthBestParts) {
  const auto tokenizer = text::numbered_words(9);
  const std::vector<TranslatedPart> parts{translated({4}, false, {hypothesis({4}, -1), hypothesis({5}, -2)}),
                                          translated({4}, true, {hypothesis({6}, -1)})};
  const Translation line =
      assemble(parts, both(tokenizer), search::SearchOptions{.length_penalty = search::NoPenalty{}});
  EXPECT_EQ(line.text, "w0 w2");
  ASSERT_EQ(line.others.size(), 1U);
  EXPECT_EQ(line.others[0].text, "w1 w2");
  EXPECT_EQ(line.others[0].score, -3);
}

TEST(Assemble, NoPartIsABlankLine) {
  const Translation line = assemble({}, both(text::numbered_words(1)), search::SearchOptions{});
  EXPECT_EQ(line.text, "");
  EXPECT_EQ(line.score, 0);
  EXPECT_EQ(line.parts, 0);
  EXPECT_TRUE(line.complete);
}

TEST(Assemble, TextNeverHasALineBreak) {
  const auto tokenizer = text::numbered_words(0, {"a\nb", "c\rd"});
  const TranslatedPart part = translated({4}, false, {hypothesis({4, 5}, -1)});
  EXPECT_EQ(assemble({&part, 1}, both(tokenizer), search::SearchOptions{}).text, "a b c d");
}

}  // namespace
}  // namespace heed::translation
