#include "heed/text/bpe/bpe_tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using testing::learn_one;
using testing::small_corpus;
using testing::source_of;
using Pieces = std::vector<std::string>;

Pieces pieces_of(const Tokenizer& tokenizer, std::string_view line) {
  Pieces pieces;
  for (const int32_t id : tokenizer.encode(line)) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

/// Merges lo and low, and all units that these words have.
BpeTokenizer::Content low_content() {
  return {.codes = {.merges = {{"l", "o"}, {"lo", "w</w>"}, {"lo", "w"}}},
          .entries = {"low", "low@@", "lo@@", "e@@", "r", "w@@", "s"}};
}

TEST(BpeTokenizer, DecodesWhatItEncodes) {
  const auto tokenizer = learn_one({.type = BpeOptions{.merges = 30}});
  for (const std::string& line : small_corpus()) EXPECT_EQ(tokenizer->decode(tokenizer->encode(line)), line);
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("  the  dogs \r")), "the dogs");
  EXPECT_EQ(tokenizer->encode("  "), Ids{});
}

TEST(BpeTokenizer, UnitsAreSubwordNmtsWithItsVocabulary) {
  const BpeTokenizer tokenizer(low_content());
  EXPECT_EQ(pieces_of(tokenizer, "low lower lows"), (Pieces{"low", "low@@", "e@@", "r", "low@@", "s"}));
  BpeTokenizer::Content without = low_content();
  std::erase(without.entries, "low@@");
  EXPECT_EQ(pieces_of(BpeTokenizer(without), "low lower"), (Pieces{"low", "lo@@", "w@@", "e@@", "r"}));
  EXPECT_EQ(pieces_of(tokenizer, "x loz"), (Pieces{"<unk>", "lo@@", "<unk>"}));
  EXPECT_EQ(tokenizer.words(tokenizer.encode("lower x low")), (std::vector<int64_t>{0, 0, 0, 1, 2}));
  EXPECT_EQ(tokenizer.decode(Ids{kBos, 4, kEos, kPad}), "low");
}

TEST(BpeTokenizer, WordsOfALineAreThoseBetweenWhiteSpace) {
  const BpeTokenizer tokenizer(low_content());
  const LineWords words = tokenizer.line_words(" lo\u2603er  x low\u3000lows");
  EXPECT_EQ(words.words, (Pieces{"lo\u2603er", "x", "low", "lows"}));
  ASSERT_EQ(words.of_id.size(), tokenizer.encode(" lo\u2603er  x low\u3000lows").size());
  EXPECT_EQ(words.of_id[0], 0);  // lo@@ and an unknown unit: text of the ids has a word's end there
  EXPECT_EQ(words.of_id[1], 0);
  EXPECT_EQ(words.of_id.back(), 3);
}

TEST(BpeTokenizer, DropoutDependsOnItsStreamAlone) {
  const auto tokenizer = learn_one({.type = BpeOptions{.merges = 30, .dropout = 0.3}});
  EXPECT_TRUE(tokenizer->samples());
  EXPECT_FALSE(learn_one({.type = BpeOptions{}})->samples());
  std::set<Ids> seen;
  for (uint64_t draw = 0; draw < 50; ++draw) {
    RandomStream first(1, Purpose::Subwords, draw);
    RandomStream again(1, Purpose::Subwords, draw);
    const Ids ids = tokenizer->sample("the greater houses walking", first);
    EXPECT_EQ(ids, tokenizer->sample("the greater houses walking", again));
    EXPECT_EQ(tokenizer->decode(ids), "the greater houses walking");
    seen.insert(ids);
  }
  EXPECT_GT(seen.size(), 20u);
}

TEST(BpeTokenizer, WithDropoutEveryPartHasAnEntry) {
  const auto tokenizer = learn_one({.type = BpeOptions{.merges = 60, .dropout = 1}});
  RandomStream random(1, Purpose::Subwords);
  for (const std::string& line : small_corpus()) {
    const Ids ids = tokenizer->sample(line, random);
    EXPECT_EQ(std::ranges::count(ids, kUnk), 0);
    EXPECT_GT(ids.size(), tokenizer->encode(line).size());
  }
  EXPECT_LT(learn_one({.type = BpeOptions{.merges = 60}})->size(), tokenizer->size());
}

TEST(BpeTokenizer, RareUnitsAreSplit) {
  std::vector<std::string> lines(10, "low low lower");
  lines.emplace_back("slower slower");
  const auto all = learn_one({.type = BpeOptions{.merges = 8}}, lines);
  const auto frequent = learn_one({.type = BpeOptions{.merges = 8, .vocabulary_threshold = 5}}, lines);
  EXPECT_EQ(pieces_of(*all, "slower"), (Pieces{"slower"}));
  EXPECT_EQ(pieces_of(*frequent, "slower"), (Pieces{"s@@", "lower"}));
  EXPECT_EQ(frequent->decode(frequent->encode("slower")), "slower");
  const auto none = learn_one({.type = BpeOptions{.merges = 8, .vocabulary_threshold = 1000}}, lines);
  EXPECT_EQ(pieces_of(*none, "low"), (Pieces{"l@@", "o@@", "w"})) << "where no unit is frequent enough";
  const auto parts = learn_one({.type = BpeOptions{.merges = 8, .vocabulary_threshold = 5, .dropout = 0.1}}, lines);
  EXPECT_EQ(pieces_of(*parts, "slower"), (Pieces{"s@@", "lower"})) << "dropout brings no unit back";
}

TEST(BpeTokenizer, WordsOfGlossariesAreEntries) {
  const auto tokenizer = learn_one({.type = BpeOptions{.merges = 2, .glossaries = {"<[a-z]+>"}}},
                                   std::vector<std::string>(10, "low <tag> low"));
  EXPECT_EQ(pieces_of(*tokenizer, "<tag> low"), (Pieces{"<tag>", "low"}));
}

TEST(BpeTokenizer, TakesGivenCodesAndVocabulary) {
  const heed::testing::TemporaryDirectory directory;
  write_file(directory.file("codes"), "#version: 0.2\nl o\nlo w</w>\n");
  write_file(directory.file("en"), "low 5\nlo@@ 4\nw@@ 2\n<unk> 9\ne@@ 1\n");
  write_file(directory.file("de"), "l@@ 5\no 4\n");
  const BpeOptions options{.codes = {directory.file("codes")},
                           .vocabulary = {directory.file("en"), directory.file("de")},
                           .vocabulary_threshold = 2};
  const auto tokenizers = learn_tokenizers({.type = options, .joint = false}, source_of({}), source_of({}));
  EXPECT_EQ(pieces_of(*tokenizers.source, "low lowe lo"), (Pieces{"low", "lo@@", "w@@", "<unk>", "<unk>", "<unk>"}));
  EXPECT_EQ(tokenizers.source->size(), 7);
  EXPECT_EQ(pieces_of(*tokenizers.target, "lo"), (Pieces{"l@@", "o"}));
  // Without vocabularies the units of each side's text are counted.
  const auto counted = learn_tokenizers({.type = BpeOptions{.codes = {directory.file("codes")}}, .joint = false},
                                        source_of({"low"}), source_of({"lo low low"}));
  EXPECT_EQ(counted.source->size(), 5);
  EXPECT_EQ(counted.target->size(), 7);
  write_file(directory.file("others"), "#version: 0.2\no w</w>\n");
  const auto apart = learn_tokenizers(
      {.type = BpeOptions{.codes = {directory.file("codes"), directory.file("others")}}, .joint = false},
      source_of({"low"}), source_of({"low"}));
  EXPECT_EQ(pieces_of(*apart.source, "low"), (Pieces{"low"}));
  EXPECT_EQ(pieces_of(*apart.target, "low"), (Pieces{"l@@", "ow"})) << "by the target's own codes";
  const BpeOptions rare{
      .codes = {directory.file("codes")}, .vocabulary = {directory.file("de")}, .vocabulary_threshold = 9};
  EXPECT_EQ(message_of<InputError>([&] { learn_one({.type = rare}); }),
            directory.file("de") + ": has no unit that is frequent enough");
  write_file(directory.file("bytes"), "#version: 0.2 byte\nl o\n");
  EXPECT_EQ(message_of<InputError>([&] { learn_one({.type = BpeOptions{.codes = {directory.file("bytes")}}}); }),
            directory.file("bytes") + ":1: expected codes of characters, found codes of bytes");
}

TEST(BpeTokenizer, WrongOptionsAreRefused) {
  const auto refusal = [](const BpeOptions& options, bool joint = true) {
    return message_of<ConfigError>([&] { validate(TokenizerOptions{.type = options, .joint = joint}); });
  };
  EXPECT_EQ(refusal({.merges = 5, .codes = {"c"}}), "`text.merges` applies only without `text.codes`");
  EXPECT_EQ(refusal({.minimum_frequency = 5, .codes = {"c"}}),
            "`text.minimum-frequency` applies only without `text.codes`");
  EXPECT_EQ(refusal({.codes = {"c", "d"}}), "`text.codes` must name one file with `text.joint` = true, found 2 files");
  EXPECT_EQ(refusal({.vocabulary = {"c", "d", "e"}}, false),
            "`text.vocabulary` must name one file or one for each side, found 3 files");
  EXPECT_EQ(refusal({.separator = "@ @"}), "`text.separator` must be a text without white space, found '@ @'");
  EXPECT_EQ(refusal({.glossaries = {"a", "b\nc"}}), "`text.glossaries` must have no line end, but glossary 2 has one");
}

TEST(BpeTokenizer, DamagedFilesAreNamed) {
  const std::string whole = BpeTokenizer(low_content()).serialized();
  EXPECT_EQ(BpeTokenizer::parse("x.codes", whole)->serialized(), whole);
  const auto error = [&](const std::string& old_text, const std::string& new_text) {
    std::string damaged = whole;
    damaged.replace(damaged.find(old_text), old_text.size(), new_text);
    return message_of<InputError>([&] { BpeTokenizer::parse("x.codes", damaged); });
  };
  EXPECT_EQ(error("#version: 1", "#version: 2"),
            "x.codes:1: a tokenizer's first line is '#version: 1', found '#version: 2'");
  EXPECT_EQ(error("#merges: 3", "#merges: many"), "x.codes:3: expected the number of merges, found 'many'");
  EXPECT_EQ(error("#merges: 3", "#merges: 900000000000"),
            "x.codes:19: expected 899999999985 lines more: the file is truncated")
      << "at once";
  EXPECT_EQ(error("#merges: 3\n", ""),
            "x.codes:3: expected a separator, a glossary or the number of merges, found '#version: 0.2'");
  EXPECT_EQ(error("lo w\n", "low\n"), "x.codes:7: expected exactly two symbols with a space between them, found 'low'");
  EXPECT_EQ(error("e@@\nr\n", "e@@\ne@@\n"), "x.codes:17: the entry 'e@@' is repeated");
  EXPECT_EQ(error("#version: 1\n<pad>", "<pad>"),
            "x.codes:8: a vocabulary's first line is '#version: 1', found '<pad>'");
  for (size_t size = 0; size + 1 < whole.size(); ++size) {
    try {
      BpeTokenizer::parse("x.codes", whole.substr(0, size));
    } catch (const Error&) {}
  }
}

TEST(BpeTokenizer, OnlyItsKindHasDropout) {
  const auto words = learn_tokenizers({.type = WordsOptions{}}, {}, source_of({"a"}));
  EXPECT_EQ(message_of<ConfigError>([&] { with_sampling(words, {}, 0.1); }),
            "`text.dropout` needs a tokenizer of byte-pair encoding");
}

}  // namespace
}  // namespace heed::text
