#include "heed/search/forbidden_phrases.h"

#include <gtest/gtest.h>

#include "heed/text/character_tokenizer.h"
#include "heed/text/word_tokenizer.h"
#include "support/forbidden_tokens.h"

namespace heed::search {
namespace {

using text::Ids;

const std::vector<std::string> kUnits{"Haus", "Ha@@", "us", "H@@", "aus", "Haus@@", "rot", "es", "Boot", "B@@"};

/// The ids of units.
Ids ids_of(const std::vector<std::string>& units) {
  Ids ids;
  for (const std::string& unit : units) {
    ids.push_back(static_cast<int32_t>(std::ranges::find(kUnits, unit) - kUnits.begin()) + text::kEos + 1);
  }
  return ids;
}

ForbiddenPhrases forbidden_units(std::vector<std::string> phrases) {
  const text::WordTokenizer tokenizer(text::WordTokenizer::kTokensEnding, kUnits, "@@");
  return {std::make_shared<const text::TokenTexts>(tokenizer), std::move(phrases)};
}

TEST(ForbiddenPhrases, HoweverUnitsSpellThePhrase) {
  const ForbiddenPhrases forbidden = forbidden_units({"Haus", "rot Boot"});
  const auto barred = [&](const std::vector<std::string>& units) {
    return forbidden.barred(forbidden.after({}, ids_of(units)), false);
  };
  EXPECT_EQ(barred({}), ids_of({"Haus"}));
  EXPECT_EQ(barred({"Ha@@"}), ids_of({"us"}));
  EXPECT_EQ(barred({"rot", "H@@"}), ids_of({"aus"}));
  EXPECT_EQ(barred({"rot"}), ids_of({"Haus", "Boot"}));
  EXPECT_EQ(barred({"Haus@@"}), (Ids{text::kUnk, text::kEos})) << "every unit continues the word";
  EXPECT_EQ(barred({"es", "Ha@@", "us"}), ids_of({"Haus"}));
}

/// Characters a, e, r, space and a dot.
ForbiddenPhrases forbidden_characters() {
  const text::CharacterTokenizer tokenizer({"a", "e", "r", " ", "."});
  return {std::make_shared<const text::TokenTexts>(tokenizer), {"er"}};
}

TEST(ForbiddenPhrases, BarWhatEndsAWordBehindThem) {
  const ForbiddenPhrases forbidden = forbidden_characters();
  const auto state = forbidden.after({}, Ids{5, 6});  // "er"
  EXPECT_EQ(forbidden.barred(state, false), (Ids{text::kUnk, text::kEos, 7, 8}));
  EXPECT_TRUE(forbidden.found_at_end(state));
  EXPECT_EQ(forbidden.barred(forbidden.after({}, Ids{4, 5, 6}), false), Ids{}) << "aer";
  EXPECT_EQ(forbidden.barred(forbidden.after({}, Ids{4, 7, 5}), false), Ids{}) << "er may become era";
}

TEST(ForbiddenPhrases, AnEndIsBeforeAPhraseThatIsNotOver) {
  const ForbiddenPhrases forbidden = forbidden_characters();
  EXPECT_EQ(forbidden.longest_end({}, Ids{4, 7, 5, 6}, 0), 3U) << "a e: the r would end it";
  EXPECT_EQ(forbidden.longest_end({}, Ids{4, 7, 5, 6}, 4), 4U) << "a prefix stays whole";
  EXPECT_EQ(forbidden.longest_end({}, Ids{4, 7, 5, 6, 4}, 0), 5U);
  EXPECT_EQ(forbidden.longest_end({}, Ids{}, 0), 0U);
}

/// A vocabulary whose tokens are single bytes, as SentencePiece's byte pieces.
class ByteTokens : public text::Tokenizer {
 public:
  Ids encode(std::string_view line) const override {
    Ids ids;
    for (const char byte : line) ids.push_back(static_cast<uint8_t>(byte) + 4);
    return ids;
  }
  std::string decode(std::span<const int32_t> ids) const override {
    std::string text;
    for (const int32_t id : ids) text += spelling(id);
    return text;
  }
  std::string piece(int32_t id) const override { return spelling(id); }
  std::string spelling(int32_t id) const override { return id < 4 ? "" : std::string(1, static_cast<char>(id - 4)); }
  std::vector<int64_t> words(std::span<const int32_t>) const override { return {}; }
  text::LineWords line_words(std::string_view) const override { return {}; }
  int64_t size() const override { return 260; }
  std::string_view file_ending() const override { return "bytes"; }
  std::string serialized() const override { return ""; }
};

TEST(ForbiddenPhrases, BytesMakeCharacters) {
  const ByteTokens bytes;
  const ForbiddenPhrases forbidden(std::make_shared<const text::TokenTexts>(bytes), {"f\u00FCr", "\u6771\u4EAC"});
  const auto found_at_end = [&](std::string_view text) {
    return forbidden.found_at_end(forbidden.after({}, bytes.encode(text)));
  };
  EXPECT_TRUE(found_at_end("so f\u00FCr"));
  EXPECT_FALSE(found_at_end("so f\u00FC"));
  EXPECT_FALSE(found_at_end("so f\u00E4r"));
  EXPECT_TRUE(found_at_end("\u79C1\u6771\u4EAC"));
  EXPECT_TRUE(found_at_end("f\u00FCr\xC3")) << "a byte that is no character ends the word";
  EXPECT_TRUE(
      found_at_end("\xE6\x9D"
                   "f\u00FCr"))
      << "and so do bytes before it";
  const auto& barred = forbidden.barred(forbidden.after({}, bytes.encode("f\u00FCr")), false);
  const auto is_barred = [&](int byte) { return std::ranges::binary_search(barred, byte + 4); };
  EXPECT_TRUE(is_barred(' ') && is_barred('.') && is_barred(0x80));
  EXPECT_FALSE(is_barred('e') || is_barred(0xC3)) << "letters may continue the word";
}

TEST(ForbiddenPhrases, ASingleHypothesisDoesNotBeginAWordThatMayHaveNoOtherEnd) {
  /// Two tokens that begin a word, one that continues it.
  class Pieces : public ByteTokens {
   public:
    std::string spelling(int32_t id) const override {
      return id < 4 ? "" : std::vector<std::string>{" er", " e", "st", "r"}.at(static_cast<size_t>(id - 4));
    }
    int64_t size() const override { return 8; }
  };
  const ForbiddenPhrases forbidden(std::make_shared<const text::TokenTexts>(Pieces()), {"er"});
  EXPECT_EQ(forbidden.barred({}, false), Ids{});
  EXPECT_EQ(forbidden.barred({}, true), Ids{4});
  EXPECT_EQ(forbidden.barred(forbidden.after({}, Ids{5}), true), Ids{4}) << "r alone begins no word";
}

TEST(ForbiddenPhrases, ThoseThatATextContainsAreLeftOut) {
  const ForbiddenPhrases forbidden = forbidden_units({"Haus", "rot"});
  EXPECT_EQ(forbidden.without_those_in(std::vector<std::string>{"Hausboot", "es"}), nullptr);
  const auto rest = forbidden.without_those_in(std::vector<std::string>{"ein Haus."});
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->is_found_in("rot"));
  EXPECT_FALSE(rest->is_found_in("Haus"));
}

TEST(ForbiddenPhrases, OfWordsAreTheirTokens) {
  const auto forbidden = forbid({{4, 5, 6}, {5, 7}, {8}, {9, 5, 4}}, 12);
  EXPECT_EQ(forbidden->barred(forbidden->after({}, Ids{4, 5}), false), (Ids{6, 7, 8}));
  EXPECT_EQ(forbidden->barred(forbidden->after({}, Ids{}), false), (Ids{8}));
}

}  // namespace
}  // namespace heed::search
