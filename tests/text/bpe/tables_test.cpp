// The tables that byte-pair encoding is fast by.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "heed/core/random.h"
#include "heed/text/bpe/merge_table.h"
#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/bpe/segment_text.h"
#include "heed/text/bpe/words/string_table.h"

namespace heed::text {
namespace {

using namespace std::string_view_literals;

std::string random_word(RandomStream& random, size_t longest) {
  std::string word;
  for (uint64_t i = 0; i < random.below(longest + 1); ++i) word += static_cast<char>('a' + random.below(3));
  return word;
}

TEST(StringTable, NumbersStringsInTheirOrder) {
  RandomStream random(1, Purpose::Test);
  StringTable table;
  std::map<std::string, uint32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string word = random_word(random, 12);
    const bool known = expected.contains(word);
    EXPECT_EQ(table.find(word), known ? expected[word] : StringTable::kNone);
    if (!known) expected.emplace(word, static_cast<uint32_t>(expected.size()));
    ASSERT_EQ(table.add(word), expected[word]);
  }
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [word, number] : expected) ASSERT_EQ(table[number], word);
}

TEST(PairTable, NumbersPairsInTheirOrder) {
  RandomStream random(2, Purpose::Test);
  PairTable table;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const auto pair = std::pair(static_cast<uint32_t>(random.below(90)), static_cast<uint32_t>(random.below(90)));
    expected.emplace(pair, static_cast<uint32_t>(expected.size()));
    ASSERT_EQ(table.add(pair.first, pair.second), expected[pair]);
  }
  EXPECT_EQ(table.find(90, 1), PairTable::kNone);
  for (const auto& [pair, number] : expected) ASSERT_EQ(table.find(pair.first, pair.second), number);
}

PlainWord word_of(std::string_view text) { return {.text = text, .key = ShortWord::of(text)}; }

TEST(MergeTable, FindsWhatWasAddedAndNothingElse) {
  constexpr uint32_t kSymbols = 60;
  for (const uint32_t count : {0U, 1U, 7U, 1000U, kSymbols * kSymbols}) {
    MergeTable table(count);
    for (uint32_t rank = 0; rank < count; ++rank) {
      table.add({.left = rank % kSymbols, .right = rank / kSymbols, .joined = 100 + rank});
    }
    EXPECT_EQ(table.size(), count);
    for (uint32_t pair = 0; pair < kSymbols * kSymbols; ++pair) {
      const MergeTable::Found found = table.find(pair % kSymbols, pair / kSymbols);
      ASSERT_EQ(found.rank, pair < count ? pair : MergeTable::kNone);
      ASSERT_EQ(found.joined, pair < count ? 100 + pair : MergeTable::kNone);
    }
    EXPECT_EQ(table.find(MergeTable::kNone, MergeTable::kNone).rank, MergeTable::kNone);
    EXPECT_EQ(table.find(0, MergeTable::kNone).rank, MergeTable::kNone);
  }
}

TEST(MergeTable, RefusesMoreThanItHasRoomFor) {
  MergeTable table(2);
  EXPECT_THROW(
      {
        for (uint32_t i = 0; i < 100; ++i) table.add({.left = i, .right = i, .joined = i});
      },
      std::logic_error);
}

TEST(ShortWord, IsAllOfAWordOrNothing) {
  EXPECT_TRUE(ShortWord::of("").empty());
  EXPECT_TRUE(ShortWord::of("a\0"sv).empty());  // would be the same as "a"
  EXPECT_TRUE(ShortWord::of("sixteen letters!").empty());
  EXPECT_EQ(ShortWord::of("fifteen letters"), ShortWord::of("fifteen letters"));
  for (const std::string_view other : {"b"sv, "aa"sv, "\0a"sv, "a12345678"sv, "a1234567"sv}) {
    EXPECT_FALSE(ShortWord::of(other).empty());
    EXPECT_FALSE(ShortWord::of(other) == ShortWord::of("a")) << other;
  }
}

TEST(ShortWordMap, FindsWhatWasAddedAndNothingElse) {
  RandomStream random(5, Purpose::Test);
  ShortWordMap<int> map;
  std::map<std::string, int> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string word = random_word(random, 14) + "x";
    const int* found = map.find(ShortWord::of(word));
    ASSERT_EQ(found != nullptr, expected.contains(word));
    if (found == nullptr) map.add(ShortWord::of(word), i);
    expected.emplace(word, i);
    ASSERT_EQ(*map.find(ShortWord::of(word)), expected[word]);
  }
  EXPECT_EQ(map.size(), expected.size());
  EXPECT_EQ(map.find(ShortWord::of("y")), nullptr);
}

std::optional<std::string> found(const WordCache& cache, std::string_view word) {
  TextBuffer out;
  if (!cache.append(word_of(word), out)) return std::nullopt;
  return std::string(out.text());
}

TEST(WordCache, FindsWhatItKeepsAndNothingElse) {
  RandomStream random(3, Purpose::Test);
  WordCache cache;
  std::map<std::string, std::string> expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string word = random_word(random, 20) + "x";
    const auto [place, is_new] = expected.emplace(word, random_word(random, 70));
    if (is_new) {
      ASSERT_EQ(found(cache, word), std::nullopt);
      cache.keep(word_of(word), place->second);
    }
    ASSERT_EQ(found(cache, word), place->second);
  }
  for (const auto& [word, result] : expected) ASSERT_EQ(found(cache, word), result);
}

TEST(WordCache, ForgetsWhenItGrowsLarge) {
  WordCache cache;
  const std::string result(60000, 'r');
  cache.keep(word_of("first"), result);
  cache.keep(word_of("short"), "s");
  for (int i = 0; i < 1500; ++i) cache.keep(word_of("word" + std::to_string(i)), result);
  EXPECT_EQ(found(cache, "first"), std::nullopt);
  EXPECT_EQ(found(cache, "short"), std::nullopt);
  EXPECT_EQ(found(cache, "word1499"), result);
  cache.keep(word_of("huge"), std::string(100'000'000, 'h'));
  EXPECT_EQ(found(cache, "huge"), std::nullopt);
}

TEST(WordCache, ForgetsManyShortWords) {
  WordCache cache;
  for (int i = 0; i < 600000; ++i) cache.keep(word_of(std::to_string(i)), "n");
  EXPECT_EQ(found(cache, "0"), std::nullopt);
  EXPECT_EQ(found(cache, "599999"), "n");
}

}  // namespace
}  // namespace heed::text
