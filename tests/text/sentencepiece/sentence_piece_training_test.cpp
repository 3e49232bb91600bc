#include "heed/text/sentencepiece/sentence_piece_training.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heed/core/error.h"
#include "support/message_of.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using testing::small_corpus;
using testing::source_of;

std::shared_ptr<const Tokenizer> learn(const SubwordOptions& options, std::vector<std::string> lines = small_corpus(),
                                       std::string_view type = "unigram", int64_t vocab_size = 70) {
  return learn_sentence_pieces(type, options, options.of_target(), vocab_size, source_of(std::move(lines)));
}

TEST(SentencePieceTraining, GivesTheSameModelEveryTime) {
  for (const std::string_view type : {"unigram", "bpe"}) {
    EXPECT_EQ(learn({}, small_corpus(), type)->serialized(), learn({}, small_corpus(), type)->serialized()) << type;
    EXPECT_EQ(learn({.sample_lines = 200}, small_corpus(), type)->serialized(),
              learn({.sample_lines = 200}, small_corpus(), type)->serialized())
        << type;
  }
}

TEST(SentencePieceTraining, DrawsItsSampleFromTheWholeText) {
  auto lines = small_corpus();
  const size_t half = lines.size();
  for (size_t i = 0; i < half; ++i) lines.push_back("xyzzy");
  const auto sampled = learn({.sample_lines = 200}, lines);
  EXPECT_EQ(sampled->decode(sampled->encode("the xyzzy")), "the xyzzy");
  const std::string rare = "жзийклмнопрст";
  for (size_t i = 0; i < rare.size(); i += 2) lines.push_back(rare.substr(i, 2));  // each in one line of some 800
  const auto unknown = [&](std::optional<int64_t> sample) {
    const auto ids = learn({.sample_lines = sample}, lines, "bpe")->encode(rare);
    return std::ranges::count(ids, kUnk);
  };
  EXPECT_EQ(unknown(std::nullopt), 0) << "all lines";
  EXPECT_GT(unknown(200), 0) << "a sample is less than the text";
}

TEST(SentencePieceTraining, LeavesOutRareCharactersByCoverage) {
  auto lines = small_corpus();
  lines.emplace_back("ж");
  const auto knows = [&](double coverage) {
    const auto ids = learn({.coverage = coverage}, lines, "bpe")->encode("ж");
    return std::ranges::count(ids, kUnk) == 0;
  };
  EXPECT_TRUE(knows(1));
  EXPECT_FALSE(knows(0.9995)) << "one character of some 15,000";
}

TEST(SentencePieceTraining, LeavesNoLongLineOut) {
  auto lines = small_corpus();
  std::string words(5000, 'q');  // longer than SentencePiece takes, without white space
  for (int i = 0; i < 2000; ++i) words += " zebra";
  lines.push_back(words);
  const auto tokenizer = learn({}, lines, "bpe");
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("qqq zebra")), "qqq zebra");
  EXPECT_EQ(tokenizer->encode("zebra").size(), 1u);
}

TEST(SentencePieceTraining, CutsLongLinesBetweenCharacters) {
  std::string line = "x";
  for (int i = 0; i < 4000; ++i) line += "é";  // byte 4192 is within a character
  const auto tokenizer = learn({}, {line}, "bpe", 20);
  const Ids ids = tokenizer->encode("éééxé");
  EXPECT_EQ(std::count(ids.begin(), ids.end(), kUnk), 0);
  for (int32_t id = 4; id < tokenizer->size(); ++id) EXPECT_EQ(tokenizer->piece(id).find("\ufffd"), std::string::npos);
}

TEST(SentencePieceTraining, ReservedCharactersDoNotDropALine) {
  const auto tokenizer = learn({}, {"alpha\u2585beta gamma", std::string("delta\0\tx", 8)});
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("alpha delta")), "alpha delta");
}

TEST(SentencePieceTraining, SaysTheSmallestVocabularyThatFits) {
  EXPECT_EQ(
      message_of<ConfigError>([] { learn({}, {"abcdefghij"}, "unigram", 10); }),
      "`text.vocab-size` must be at least 15 for the characters of this text (or `text.coverage` less), found 10");
  EXPECT_EQ(learn({}, {"abcdefghij"}, "unigram", 15)->size(), 15);
}

TEST(SentencePieceTraining, RefusesABlankText) {
  const std::string expected = "no tokenizer can be learned: the text is blank";
  EXPECT_EQ(message_of<Error>([] { learn({}, {}); }), expected);
  EXPECT_EQ(message_of<Error>([] { learn({}, {"", " \t", "\u2585"}); }), expected);
}

TEST(SentencePieceTraining, PassesOnWhatTheTextThrows) {
  const LineSource broken = [](std::string&) -> bool { throw InputError("x.en", 7, "is broken"); };
  EXPECT_EQ(message_of<InputError>([&] { learn_sentence_pieces("bpe", {}, Normalizer::NmtNfkc, 100, broken); }),
            "x.en:7: is broken");
}

TEST(SentencePieceTraining, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  learn({});
  message_of<ConfigError>([] { learn({}, {"abcdefghij"}, "unigram", 10); });
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(SentencePieceTraining, UserSymbolsAreOnePieceEverywhere) {
  const auto tokenizer = learn({.user_symbols = {"<url>", "a,\"b", "\""}});
  for (const std::string text : {"dog<url>dog", "x a,\"b y", "\""}) {
    const std::string symbol = text == "\"" ? "\"" : text[0] == 'x' ? "a,\"b" : "<url>";
    int found = 0;
    for (const int32_t id : tokenizer->encode(text)) found += tokenizer->piece(id) == symbol ? 1 : 0;
    EXPECT_EQ(found, 1) << text;
  }
}

TEST(SentencePieceTraining, NormalizersDoWhatTheirNamesSay) {
  const auto text_after = [](Normalizer normalizer, const std::string& text) {
    auto lines = small_corpus();
    lines.push_back("ABC fi Ａ ﬁ \u00a0 1");
    const auto tokenizer = learn({.normalizer = normalizer}, lines, "unigram", 90);
    return tokenizer->decode(tokenizer->encode(text));
  };
  EXPECT_EQ(text_after(Normalizer::NmtNfkc, "  Ａ ﬁ  dog\u00a0"), "A fi dog");
  EXPECT_EQ(text_after(Normalizer::Nfkc, "  Ａ ﬁ  dog "), "A fi dog");
  EXPECT_EQ(text_after(Normalizer::NmtNfkcCaseFolded, "ＡBC DOG"), "abc dog");
  EXPECT_EQ(text_after(Normalizer::NfkcCaseFolded, "ABC DOG"), "abc dog");
  EXPECT_EQ(text_after(Normalizer::Whitespace, "  Ａ ﬁ  dog\u00a0a "), "Ａ ﬁ dog\u00a0a");
  EXPECT_EQ(text_after(Normalizer::Identity, "  Ａ ﬁ  dog\u00a0a "), "  Ａ ﬁ  dog\u00a0a ");
  EXPECT_EQ(text_after(Normalizer::Identity, "a\tdog"), "a dog");
}

/// Text that normalization changes: an ellipsis, a raised digit, a sign, a ligature, a full-width letter.
constexpr const char* kCompatible = "3 km² … Word™ ½ ﬁn Ａ AB ab";
constexpr const char* kNormalized = "3 km2 ... WordTM 1⁄2 fin A AB ab";

Tokenizers learn_both(const SubwordOptions& options, std::string_view type = "unigram") {
  const auto with = [](const char* text) {
    auto lines = small_corpus();
    lines.emplace_back(text);
    return source_of(std::move(lines));
  };
  return learn_joint_sentence_pieces(type, options, 90, with(kCompatible), with(kCompatible));
}

std::string there_and_back(const Tokenizer& tokenizer, const std::string& text) {
  return tokenizer.decode(tokenizer.encode(text));
}

TEST(SentencePieceTraining, TheTargetKeepsEveryCharacterAndTheSourceIsNormalized) {
  for (const std::string_view type : {"unigram", "bpe"}) {
    const Tokenizers learned = learn_both({}, type);
    EXPECT_EQ(there_and_back(*learned.target, kCompatible), kCompatible) << type;
    EXPECT_EQ(there_and_back(*learned.source, kCompatible), kNormalized) << type;
    ASSERT_EQ(learned.source->size(), learned.target->size()) << type;
    for (int32_t id = 0; id < learned.source->size(); ++id) {
      EXPECT_EQ(learned.source->piece(id), learned.target->piece(id)) << type;
    }
  }
}

TEST(SentencePieceTraining, NormalizersOfBothSidesOrOfEach) {
  const auto forms = [](const SubwordOptions& options) {
    const Tokenizers learned = learn_both(options);
    return std::pair(there_and_back(*learned.source, "ＡB"), there_and_back(*learned.target, "ＡB"));
  };
  using Forms = std::pair<std::string, std::string>;
  EXPECT_EQ(forms({.normalizer = Normalizer::Nfkc}), Forms("AB", "AB"));
  EXPECT_EQ(forms({.source_normalizer = Normalizer::Whitespace}), Forms("ＡB", "ＡB"));
  EXPECT_EQ(forms({.normalizer = Normalizer::NmtNfkcCaseFolded, .target_normalizer = Normalizer::Nfkc}),
            Forms("ab", "AB"));
  const Tokenizers same = learn_both({.normalizer = Normalizer::NmtNfkc});
  EXPECT_EQ(same.source, same.target) << "one normalizer: one tokenizer";
}

}  // namespace
}  // namespace heed::text
