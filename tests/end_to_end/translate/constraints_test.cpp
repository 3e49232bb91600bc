// Forbidden phrases, terms and prefixes hold with every kind of tokenizer, and no rule ends a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "heed/core/text/unicode.h"
#include "support/phrases_in_text.h"

namespace heed::end_to_end {
namespace {

using heed::testing::contains_phrase;

const std::string kText = "one two three\n\nfour five six one\nsix two\n";

Result translate(const std::string& model, const Words& options) {
  return heed(Words{"translate", "--model", model, "--threads", "1"} + options, kText);
}

/// The lines by the engine and, as an ensemble of the model with itself, by LibTorch.
std::vector<Words> lines_by_both_paths(const std::string& model, const Words& options) {
  std::vector<Words> lines;
  for (const Words& more : {Words{}, Words{"--ensemble", model}}) {
    const Result result = translate(model, options + more);
    EXPECT_EQ(result.code, 0) << result.errors;
    lines.push_back(lines_of(result.output));
    EXPECT_EQ(lines.back().size(), 4U);
  }
  return lines;
}

/// Trains for a few steps with the tokenizers that the options ask for.
void train_barely(const Folder& folder, const Words& options) {
  const Result result =
      heed(Words{"train", "--source", folder.path("train.en"), "--target", folder.path("train.de"), "--model",
                 folder.path("model"), "--preset", "transformer-tiny", "--arch.d-model", "16", "--arch.encoder.layers",
                 "1", "--arch.decoder.layers", "1", "--train.max-steps", "4", "--threads", "1"} +
           options);
  ASSERT_EQ(result.code, 0) << result.errors;
}

/// A SentencePiece model of that text.
Words given_pieces(const Folder& folder, const std::string& option) {
  const Result result = heed({"spm", "train", "--input=" + folder.path("train.en"),
                              "--model_prefix=" + folder.path("pieces"), "--vocab_size=30", "--hard_vocab_limit=false",
                              "--pad_id=0", "--unk_id=1", "--bos_id=2", "--eos_id=3", option});
  EXPECT_EQ(result.code, 0) << result.errors;
  return {"--text.tokenizers", "given", "--text.source-tokenizer", folder.path("pieces.model")};
}

/// Models with tokenizers of one kind each, trained once.
class TokenizerKinds : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto& trained = models()[GetParam()];
    if (!trained) {
      trained = std::make_unique<Folder>();
      write_numbers(*trained, "train", {"one", "two", "three", "four", "five", "six"}, 200);
      if (GetParam() == "no_dummy_prefix") {
        train_barely(*trained, given_pieces(*trained, "--add_dummy_prefix=false"));
      } else if (GetParam() == "suffix") {
        train_barely(*trained, given_pieces(*trained, "--treat_whitespace_as_suffix=true"));
      } else if (GetParam() == "unigram") {
        train_barely(*trained, {"--text.vocab-size", "30"});
      } else {
        train_barely(*trained, {"--text.type", GetParam()});
      }
    }
    model = trained->path("model");
  }
  static void TearDownTestSuite() { models().clear(); }
  static std::map<std::string, std::unique_ptr<Folder>>& models() {
    static std::map<std::string, std::unique_ptr<Folder>> all;
    return all;
  }

  Folder folder;
  std::string model;
};

TEST_P(TokenizerKinds, NoLineContainsAForbiddenPhrase) {
  std::set<std::string> never;
  for (const Words& search : {Words{}, Words{"--search.beam", "1"}, Words{"--search.method", "sample"}, Words{}}) {
    std::string file;  // what came so far, so that something else has to
    for (const std::string& phrase : never) file += phrase + "\n";
    for (const Words& lines : lines_by_both_paths(model, search + Words{"--forbid", folder.file("never", file)})) {
      for (const std::string& line : lines) {
        EXPECT_TRUE(std::ranges::none_of(lines_of(file),
                                         [&](const std::string& phrase) { return contains_phrase(line, phrase); }))
            << "one of\n"
            << file << "is in\n"
            << line;
        const auto words = split_whitespace(line);
        for (size_t i = 0; i < words.size() && i < 2; ++i) never.emplace(words[i]);
      }
    }
  }
  EXPECT_GT(never.size(), 1U);
}

TEST_P(TokenizerKinds, TermsAreWordsOfTheirOwn) {
  const Words options{"--terminology", folder.file("terms", "two\tthree four\nfive\tsix\n")};
  for (const Words& lines : lines_by_both_paths(model, options)) {
    EXPECT_TRUE(contains_phrase(lines[0], "three four")) << lines[0];
    EXPECT_TRUE(contains_phrase(lines[2], "six")) << lines[2];
    EXPECT_TRUE(contains_phrase(lines[3], "three four")) << lines[3];
  }
}

TEST_P(TokenizerKinds, APrefixKeepsItsWordsAndALineHasNoBlankAtItsEnd) {
  const Words options{"--prefix", folder.file("begins", "three four\n\n\none\n")};
  for (const Words& lines : lines_by_both_paths(model, options)) {
    EXPECT_TRUE(lines[0].starts_with("three four")) << lines[0];
    EXPECT_TRUE(lines[3].starts_with("one")) << lines[3];
    if (GetParam() == "suffix" || GetParam() == "bpe") {
      EXPECT_TRUE(contains_phrase(lines[0], "three four")) << "the tokens end the word: " << lines[0];
    }
    for (const std::string& line : lines) {
      EXPECT_TRUE(GetParam() == "characters" || strip_right(line) == line) << "'" << line << "'";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, TokenizerKinds,
                         ::testing::Values("characters", "bpe", "unigram", "no_dummy_prefix", "suffix"));

std::string stored_model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }

TEST(ConstrainedRun, RulesThatLeaveNoTokenEndALineAndNotTheRun) {
  const Words rules{"--search.no-repeat-ngram", "1", "--search.min-length", "500", "--format", "tsv"};
  for (const Words& options : {Words{}, Words{"--search.beam", "1"}, Words{"--search.method", "sample"},
                               Words{"--search.groups", "5"}, Words{"--ensemble", stored_model()}}) {
    const Result result = translate(stored_model(), rules + options);
    EXPECT_EQ(result.code, 0) << result.errors;
    EXPECT_TRUE(result.errors.starts_with(
        "heed: warning: line 1: the rules of the search leave no token to follow, so its translation ends there; "))
        << result.errors;
    EXPECT_NE(result.errors.find("\nheed: warning: 3 of 4 lines have a translation that ends where the rules "),
              std::string::npos)
        << result.errors;
    const Words lines = lines_of(result.output);
    ASSERT_EQ(lines.size(), 4U);
    for (const size_t line : {0, 2, 3}) {
      EXPECT_NE(lines[line].find("ended-by-rules"), std::string::npos) << lines[line];
      EXPECT_GE(std::ranges::count(lines[line], ' '), 8) << "as many words as there are: " << lines[line];
    }
  }
}

TEST(ConstrainedRun, TermsAreCountedAndThoseWithoutASpellingLeftOut) {
  const Folder folder;
  const std::string terms = folder.file("terms", "one\tzwei\nsix\t\u6771\u4eac\n");
  const Result result = translate(stored_model(), {"--terminology", terms});
  ASSERT_EQ(result.code, 0) << result.errors;
  for (const size_t line : {0, 2}) EXPECT_TRUE(contains_phrase(lines_of(result.output)[line], "zwei")) << result.output;
  EXPECT_NE(result.errors.find("warning: " + terms +
                               ": 1 of 2 terms left out: the model's vocabulary cannot spell the "
                               "target, such as '\u6771\u4eac' in line 2\n"),
            std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("terms: 2 in 2 of 4 lines; "), std::string::npos) << result.errors;
  expect_error(translate(stored_model(), {"--terminology", terms, "--terminology-strict"}), 1,
               terms + ":2: the model's vocabulary cannot spell '\u6771\u4eac'");
}

TEST(ConstrainedRun, AnOptionWithoutEffectIsRefusedBeforeTheModelIsOpened) {
  const Folder folder;
  const std::string file = folder.file("words", "one\tzwei\n");
  for (const auto& [options, other] : {std::pair<Words, std::string>{{"--dictionary", file}, "replace-unknown"},
                                       {{"--terminology-fold-case"}, "terminology"},
                                       {{"--terminology-strict"}, "terminology"}}) {
    expect_error(heed(Words{"translate", "--model", folder.path("none")} + options), 2,
                 "`" + options[0] + "` has no effect without `--" + other + "`");
  }
}

TEST(ConstrainedRun, CaseOfTermsMayNotCount) {
  const Folder folder;
  const Words options{"--terminology", folder.file("terms", "ONE\tzwei\n")};
  const Result exact = translate(stored_model(), options);
  EXPECT_EQ(exact.errors.find("terms: "), std::string::npos) << exact.errors;
  const Result folded = translate(stored_model(), options + Words{"--terminology-fold-case"});
  EXPECT_NE(folded.errors.find("terms: 2 in 2 of 4 lines; "), std::string::npos) << folded.errors;
}

TEST(ConstrainedRun, APrefixIsReadUpToABound) {
  const Folder folder;
  std::string words, letters(200'001, 'x');
  for (int i = 0; i < 10'001; ++i) words += "eins ";
  const auto refused = [&](const std::string& prefix) {
    return heed({"translate", "--model", stored_model(), "--threads", "1", "--prefix", folder.file("begins", prefix)},
                "one\n");
  };
  expect_error(refused(letters + "\n"), 1,
               "line 1: its prefix has 200,001 bytes, more than the 200,000 that are read at once");
  expect_error(refused(words + "\n"), 1,
               "line 1: its prefix and terms have 10,001 tokens, more than the 10,000 that are read at once");
}

}  // namespace
}  // namespace heed::end_to_end
