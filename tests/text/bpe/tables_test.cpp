// The tables that byte-pair encoding is fast by.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "heed/core/random.h"
#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/bpe/string_table.h"
#include "heed/text/bpe/word_cache.h"

namespace heed::text {
namespace {

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

TEST(WordCache, FindsWhatItKeepsAndNothingElse) {
  RandomStream random(3, Purpose::Test);
  WordCache cache;
  std::map<std::string, std::string> expected;
  std::vector<WordCache::Lookup> old;  // lookups that began in a smaller table
  for (int i = 0; i < 20000; ++i) {
    const std::string word = random_word(random, 9) + "x";
    auto lookup = cache.begin(word);
    cache.approach(lookup);
    const auto found = cache.find(lookup);
    ASSERT_EQ(found.has_value(), expected.contains(word));
    if (found) {
      ASSERT_EQ(*found, expected[word]);
      continue;
    }
    const auto& [kept, result] = *expected.emplace(word, random_word(random, 20)).first;
    old.push_back(cache.begin(kept));
    cache.approach(old.back());
    cache.keep(kept, result);
  }
  for (const auto& lookup : old) ASSERT_EQ(cache.find(lookup), expected[std::string(lookup.word)]);
  cache.keep(std::string(70000, 'a'), "long");
  EXPECT_FALSE(cache.find(cache.begin(std::string(70000, 'a'))).has_value());
}

TEST(WordCache, ForgetsWhenItGrowsLarge) {
  WordCache cache;
  const std::string result(60000, 'r');
  cache.keep("first", result);
  for (int i = 0; i < 1500; ++i) cache.keep("word" + std::to_string(i), result);
  EXPECT_FALSE(cache.find(cache.begin("first")).has_value());
  EXPECT_EQ(cache.find(cache.begin("word1499")), result);
}

}  // namespace
}  // namespace heed::text
