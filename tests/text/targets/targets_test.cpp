#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/targets/word_ids.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed/text/word_tokenizer.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;

LineSource lines_of(std::vector<std::string> lines) {
  return [lines = std::move(lines), next = size_t{0}](std::string& line) mutable {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
}

TEST(Labels, OfLinesStandAloneAndIdsRunFromZero) {
  const auto labels = learn_labels(LabelUnit::Line, lines_of({"York", "Berlin", "", " Berlin "}));
  EXPECT_EQ(labels->size(), 2);
  EXPECT_EQ(labels->target_type(), Target(ClassLabel{}));
  EXPECT_EQ(labels->encode("Berlin"), (Ids{0}));
  EXPECT_EQ(labels->encode("  York "), (Ids{1}));
  EXPECT_EQ(labels->encode(" "), (Ids{}));
  EXPECT_EQ(labels->target("York"), Target(ClassLabel{1}));
  EXPECT_EQ(labels->decode(Ids{1}), "York");
  EXPECT_EQ(message_of<Error>([&] { labels->encode("Paris"); }),
            "the label `Paris` is not one of those that the model was trained with: Berlin, York");
  try {
    learn_labels(LabelUnit::Line, lines_of({"a", "b c"}));
    FAIL() << "two words are no label";
  } catch (const LabelError& error) {
    EXPECT_EQ(error.line(), 1);
    EXPECT_STREQ(error.what(), "expected one label, a word without white space, found `b c`");
  }
}

TEST(Labels, OfWordsStandBetweenWhiteSpace) {
  const auto labels = learn_labels(LabelUnit::Word, lines_of({"O B-x O", "I-x"}));
  EXPECT_EQ(labels->encode("I-x  O"), (Ids{1, 2}));
  EXPECT_EQ(labels->target("I-x  O"), Target(WordLabels{{1, 2}}));
  EXPECT_EQ(labels->decode(Ids{2, 0, 1}), "O B-x I-x");
}

TEST(Labels, OneLabelIsNothingToTellApart) {
  EXPECT_EQ(message_of<Error>([] { learn_labels(LabelUnit::Line, lines_of({"a", "a"})); }),
            "the target has one label only, `a`: there is nothing to tell apart");
  EXPECT_EQ(message_of<Error>([] { learn_labels(LabelUnit::Line, lines_of({"", " "})); }),
            "the target has no labels: all its lines are blank");
}

TEST(Labels, ManyLabelsAreNotAllListed) {
  std::vector<std::string> names;
  for (char name = 'a'; name <= 'l'; ++name) names.emplace_back(1, name);
  const auto labels = learn_labels(LabelUnit::Line, lines_of(names));
  EXPECT_EQ(message_of<Error>([&] { labels->encode("z"); }),
            "the label `z` is not one of those that the model was trained with: a, b, c, d, e, f, g, h, i, j, and 2 "
            "more");
}

TEST(Labels, FilesAreReadAgain) {
  const heed::testing::TemporaryDirectory directory;
  for (const auto unit : {LabelUnit::Line, LabelUnit::Word}) {
    const auto labels = learn_labels(unit, lines_of({"b", "#c", "a"}));
    write_file(directory.file("target.labels"), labels->serialized());
    const auto read = load_tokenizer(directory.file("target.labels"));
    EXPECT_EQ(read->serialized(), labels->serialized());
    EXPECT_EQ(read->target_type(), labels->target_type());
    EXPECT_EQ(read->piece(0), "#c");
  }
  const auto refusal = [](const std::string& content) {
    return message_of<InputError>([&] { LabelTokenizer::parse("x.labels", content); });
  };
  EXPECT_EQ(refusal(""), "x.labels:1: expected '#version: 1', found ''");
  EXPECT_EQ(refusal("#version: 1\na\n"), "x.labels:2: expected '#unit: line' or '#unit: word', found 'a'");
  EXPECT_EQ(refusal("#version: 1\n#unit: word\na\na\n"),
            "x.labels:4: expected a label that is not there yet, found 'a'");
}

TEST(NumberTokenizer, ALineHasAsManyAsTheFirst) {
  const auto numbers = learn_numbers(lines_of({"", "1 2.5"}));
  EXPECT_EQ(numbers->size(), 2);
  EXPECT_EQ(numbers->target_type(), Target(Numbers{}));
  EXPECT_EQ(numbers->target(" -1e3   +0.1 "), Target(Numbers{{-1000.0F, 0.1F}}));
  EXPECT_EQ(message_of<Error>([&] { numbers->encode("1 2"); }), "numbers have no tokens");
  EXPECT_EQ(message_of<Error>([&] { numbers->target("1"); }),
            "expected 2 numbers, as the first line of the training target has, found 1");
  for (const char* word : {"x", "nan", "inf", "1e99", "1,5", "0x10", "+-1"}) {
    EXPECT_EQ(message_of<Error>([&] { numbers->target(std::string("1 ") + word); }),
              std::string("expected a finite number, found `") + word + "`");
  }
  EXPECT_EQ(message_of<Error>([] { learn_numbers(lines_of({"", " "})); }),
            "the target has no numbers: all its lines are blank");
}

TEST(NumberTokenizer, AreWrittenInTheFewestDigitsThatGiveThemAgain) {
  const std::vector<float> numbers{1.0F / 3, 16777216.0F, -0.0F, 1e-30F};
  EXPECT_EQ(parse_numbers(format_numbers(numbers)), numbers);
  EXPECT_EQ(format_numbers(std::vector<float>{0.1F, 2}), "0.1 2");
}

TEST(NumberTokenizer, FilesAreReadAgain) {
  const auto read = NumberTokenizer::parse("x.numbers", NumberTokenizer(3).serialized());
  EXPECT_EQ(read->size(), 3);
  for (const char* count : {"0", "-1", "2x", "", "99999999999999999999"}) {
    const std::string content = std::string("#version: 1\n#numbers: ") + count + "\n";
    EXPECT_EQ(message_of<InputError>([&] { NumberTokenizer::parse("x.numbers", content); }),
              "x.numbers: expected '#version: 1' and '#numbers: N', how many a line has")
        << count;
  }
}

TEST(Targets, EndsOfSentencesArePredictedAndWordsWithoutLabelsAreNot) {
  const std::vector<Target> targets{Ids{5, 6}, ClassLabel{2}, WordLabels{{1, kNoLabel, 0}}, Numbers{{1, 2, 3, 4}}};
  std::vector<int64_t> lengths, predicted;
  for (const Target& target : targets) {
    lengths.push_back(length(target));
    predicted.push_back(predictions(target));
  }
  EXPECT_EQ(lengths, (std::vector<int64_t>{2, 1, 3, 4}));
  EXPECT_EQ(predicted, (std::vector<int64_t>{3, 1, 2, 4}));
}

TEST(WordIds, EveryWordBeginsWithAnIdOfItsOwn) {
  const WordTokenizer words(WordTokenizer::kWordsEnding, {"a", "b"});
  const WordIds found = word_ids(words, " b  ? a ");
  EXPECT_EQ(found.ids, (Ids{5, kUnk, 4}));
  EXPECT_EQ(found.begins, (std::vector<int64_t>{0, 1, 2}));
  EXPECT_TRUE(word_ids(words, "  ").ids.empty());
  // A character that normalization takes away leaves nothing of its word.
  const auto pieces = testing::learn_one(
      {.type = UnigramOptions{.subwords = {.size = {.vocab_size = 60}, .normalizer = Normalizer::NmtNfkc}}});
  ASSERT_TRUE(pieces->encode("\u200b").empty());
  const WordIds all = word_ids(*pieces, "the \u200b dog");
  ASSERT_EQ(all.begins.size(), 3U);
  EXPECT_LT(all.begins[1], all.begins[2]);
  EXPECT_EQ(all.ids[static_cast<size_t>(all.begins[1])], kUnk);
}

TEST(WordIds, AreDrawnWhereTheyAreToBe) {
  const auto drawing = testing::learn_one({.type = BpeOptions{.merges = 60, .dropout = 1}});
  RandomStream random(1, Purpose::Subwords);
  EXPECT_GT(word_ids(*drawing, "the houses", &random).ids.size(), word_ids(*drawing, "the houses").ids.size());
}

}  // namespace
}  // namespace heed::text
