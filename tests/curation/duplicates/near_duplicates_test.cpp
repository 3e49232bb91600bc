#include "heed/curation/duplicates/near_duplicates.h"

#include <gtest/gtest.h>

#include <string>

#include "curation/written.h"
#include "heed/curation/duplicates/held_out_text.h"
#include "support/temporary_directory.h"

namespace heed::curation {
namespace {

Sketch sketch(const std::string& source, const std::string& target) {
  SideText s, t;
  s.assign(source);
  t.assign(target);
  return sketch_of(s, t);
}

const std::string kLong =
    "A man in a red shirt is standing in front of a large white building with many windows number ";
const std::string kLang =
    "Ein Mann in einem roten Hemd steht vor einem großen weißen Gebäude mit vielen Fenstern Nummer ";

TEST(Sketch, SimilarityFollowsTheTexts) {
  const Sketch first = sketch(kLong + "one", kLang + "eins");
  EXPECT_DOUBLE_EQ(first.similarity(sketch(kLong + "one!", kLang + "EINS").values), 1)
      << "punctuation and case do not count";
  EXPECT_GT(first.similarity(sketch(kLong + "two", kLang + "zwei").values), 0.8);
  EXPECT_LT(
      first.similarity(sketch("Something else entirely happens here", "Hier geschieht etwas ganz anderes").values),
      0.2);
  EXPECT_TRUE(sketch("...", "!").empty);
  EXPECT_DOUBLE_EQ(sketch("Page 3", "Seite 3").similarity(sketch("Page 17", "Seite 17").values), 1)
      << "numbers are alike";
}

/// More lines than are held in memory, so that sketches are read back from the file.
TEST(NearDuplicates, GroupsAreFoundThroughTheFile) {
  const testing::TemporaryDirectory folder;
  NearDuplicates near(folder.file("scratch"), 0.8);
  near.add(sketch(kLong + "one", kLang + "eins"));
  constexpr int64_t kOthers = 20'000;
  for (int64_t i = 0; i < kOthers; ++i) {
    const std::string word = "w" + std::string(3, static_cast<char>('a' + i % 26)) +
                             std::string(2, static_cast<char>('a' + i / 26 % 26)) +
                             std::string(2, static_cast<char>('a' + i / 676 % 26)) + static_cast<char>('a' + i / 17576);
    near.add(sketch(word + word, word));
  }
  near.add(sketch(kLong + "two", kLang + "zwei"));
  near.add(sketch("?", "?"));
  near.add(sketch("!", "!"));
  const auto groups = near.groups();
  EXPECT_EQ(groups[kOthers + 1], 0);
  EXPECT_EQ(groups[kOthers + 2], kOthers + 2) << "blank lines are no duplicates";
  EXPECT_EQ(groups[kOthers + 3], kOthers + 3);
}

TEST(HeldOutText, FindsEqualNearAndHalfPairs) {
  const testing::TemporaryDirectory folder;
  CorpusText corpus{.files = {.source = {},
                              .target = {},
                              .pairs = {written(folder.file("dev.tsv"), kLong + "one\t" + kLang + "eins\nyes\tja\n")}}};
  HeldOutText text("validation", corpus, 0.8);
  const auto match = [&](const std::string& source, const std::string& target) {
    return text.match(pair_key(source, target), side_key(source), sketch(source, target));
  };
  EXPECT_EQ(match(" yes", "ja ").overlap, Overlap::Equal);
  EXPECT_EQ(match("yes", "ja").line, 2);
  EXPECT_EQ(match("yes", "doch").overlap, Overlap::Source);
  EXPECT_EQ(match(kLong + "two", kLang + "zwei").overlap, Overlap::Near);
  EXPECT_EQ(match("no", "nein").overlap, Overlap::None);
  text.mark(match("yes", "doch"));
  text.mark(match("yes", "ja"));
  EXPECT_EQ(text.found(Overlap::Equal), 1);
  EXPECT_EQ(text.found(Overlap::Source), 0) << "the best match counts";
}

}  // namespace
}  // namespace heed::curation
