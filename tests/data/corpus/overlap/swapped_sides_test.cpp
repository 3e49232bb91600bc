#include "heed/data/overlap/swapped_sides.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed/text/character_tokenizer.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::data {
namespace {

std::vector<std::string> logged(const std::function<void()>& work) {
  std::vector<std::string> messages;
  set_log_sink([&](LogLevel, std::string_view message) { messages.emplace_back(message); });
  work();
  set_log_sink({});
  return messages;
}

class SwappedSides : public ::testing::Test {
 protected:
  CorpusFiles files(const std::string& name, const std::string& source, const std::string& target, int lines = 30) {
    std::string both[2];
    for (int i = 0; i < lines; ++i) {
      both[0] += source + std::to_string(i) + "\n";
      both[1] += target + std::to_string(i) + "\n";
    }
    CorpusFiles files{.source = {directory.file(name + ".s")}, .target = {directory.file(name + ".t")}, .pairs = {}};
    write_file(files.source[0], both[0]);
    write_file(files.target[0], both[1]);
    return files;
  }
  std::vector<std::string> warnings(const CorpusFiles& train, const CorpusFiles& valid) const {
    return logged([&] { warn_of_swapped_sides(ComparedTexts{.train = train, .valid = valid, .format = {}}); });
  }

  const std::string english = "the house is small and the door is ", german = "das Haus ist klein und die T\u00fcr ";
  testing::TemporaryDirectory directory;
};

TEST_F(SwappedSides, AreNoticedByTheirLetters) {
  const CorpusFiles train = files("train", english, german);
  EXPECT_TRUE(warnings(train, files("dev", "a small house has this door ", "klein ist das alte Haus hier ")).empty());
  const CorpusFiles swapped = files("other", "klein ist das alte Haus hier ", "a small house has this door ");
  EXPECT_EQ(warnings(train, swapped),
            (std::vector<std::string>{train.source[0] + ", " + train.target[0] +
                                      ": the source looks like the target of the validation text (" +
                                      swapped.source[0] + ", " + swapped.target[0] +
                                      "), and the target like its source: are the sides of one of them swapped?"}));
}

TEST_F(SwappedSides, AreNotJudgedByFewOrEqualLines) {
  const CorpusFiles train = files("train", english, german);
  EXPECT_TRUE(warnings(train, files("few", german, english, 19)).empty());
  EXPECT_TRUE(warnings(files("same", english, english), files("dev", english, english)).empty());
  EXPECT_TRUE(warnings(files("same", english, english), files("dev", german, english)).empty());
}

TEST_F(SwappedSides, AreNoticedByTheTokenizersOfAModel) {
  const text::Tokenizers tokenizers{
      .source = std::make_shared<text::CharacterTokenizer>(std::vector<std::string>{"a", "b"}),
      .target = text::numbered_words(3)};
  const auto warnings = [&](const CorpusFiles& train, const text::Tokenizers& of_model) {
    return logged([&] { warn_of_swapped_sides(train, TextFormat{}, of_model, "base"); });
  };
  const CorpusFiles train = files("train", "ab", "wwwwwwwwww");  // a token per character, a token per word
  EXPECT_TRUE(warnings(train, tokenizers).empty());
  const CorpusFiles swapped = files("swapped", "wwwwwwwwww", "ab");
  const std::vector<std::string> found = warnings(swapped, tokenizers);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], swapped.source[0] + ", " + swapped.target[0] +
                          ": the tokenizers of base need 380 tokens for these pairs, and 140 if source and target are "
                          "exchanged: are the sides swapped?");
  EXPECT_TRUE(warnings(swapped, {.source = tokenizers.source, .target = tokenizers.source}).empty()) << "joint";
}

TEST_F(SwappedSides, TheSameSidesAreNoticed) {
  const auto warnings_of = [](const CorpusFiles& text, const std::string& prefix = "") {
    return logged([&] { warn_of_same_sides(text, TextFormat{}, prefix); });
  };
  CorpusFiles text = files("a", "a house", "ein Haus");
  EXPECT_TRUE(warnings_of(text).empty());
  text.target = text.source;
  const std::string question = "): is one of them the wrong file?";
  EXPECT_EQ(warnings_of(text),
            std::vector{"`--source` and `--target` are the same text (" + text.source[0] + question});
  const CorpusFiles copy = files("b", "a house", "a house");
  EXPECT_EQ(warnings_of(copy, "valid-"), std::vector{"`--valid-source` and `--valid-target` are the same text (" +
                                                     copy.source[0] + ", " + copy.target[0] + question});
  EXPECT_TRUE(warnings_of(files("c", "2026", "2026", 19)).empty()) << "a few equal lines say nothing";
  CorpusFiles lines{.source = {}, .target = text.target, .pairs = {}};
  EXPECT_TRUE(warnings_of(lines).empty()) << "a language model has one side";
}

}  // namespace
}  // namespace heed::data
