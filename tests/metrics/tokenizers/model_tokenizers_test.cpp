#include "heed/metrics/tokenizers/model_tokenizers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include <sentencepiece_trainer.h>

#include "heed/core/error.h"
#include "metrics/tokens.h"
#include "support/stored_json.h"

namespace heed::metrics {
namespace {

/// A model whose pieces are the characters of the text it was made of.
std::string character_model() {
  const std::string folder = ::testing::TempDir() + "/heed_metrics_spm";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/text") << "ab ba aab\n";
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      "--input=" + folder + "/text --model_prefix=" + folder + "/spm --model_type=char --vocab_size=6 --minloglevel=2");
  EXPECT_TRUE(status.ok()) << status.ToString();
  return folder + "/spm.model";
}

TEST(SentencePiece, TokensAreItsPiecesUnknownTextIncluded) {
  const std::string model = character_model();
  const auto tokenizer = make_tokenizer(BleuTokenizer::Flores200, model);
  EXPECT_EQ(tokens(*tokenizer, "ab  ﬀx"), (Texts{"▁", "a", "b", "▁", "ffx"}));
  EXPECT_EQ(tokens(*tokenizer, ""), Texts{});
  EXPECT_EQ(tokenizer->name(), "flores200");
  EXPECT_EQ(make_tokenizer(BleuTokenizer::Spm, model)->name(), "flores101");
  EXPECT_EQ(make_tokenizer(BleuTokenizer::SpBleu1K, model)->name(), "spBLEU-1K");
}

/// Absent where MeCab or the dictionary is not installed, which the error says.
std::unique_ptr<const TextTokenizer> mecab(BleuTokenizer kind, const char* package, const char* dictionary = nullptr) {
  try {
    return make_tokenizer(kind, dictionary == nullptr ? std::nullopt : std::optional<std::string>(dictionary));
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(package), std::string::npos) << error.what();
    return nullptr;
  }
}

void expect_stored_tokens(const TextTokenizer& tokenizer, const char* name) {
  const auto stored = testing::stored_json("metrics/data/mecab.json").at(name);
  EXPECT_EQ(tokenizer.name(), stored.at("signature").get<std::string>());
  for (const auto& [line, expected] : stored.at("tokens").items()) {
    EXPECT_EQ(tokens(tokenizer, line), expected.get<decltype(tokens(tokenizer, line))>()) << line;
  }
}

TEST(Mecab, JapaneseIsSacreBleusOrTheErrorNamesThePackage) {
  const auto tokenizer = mecab(BleuTokenizer::JaMecab, "mecab-ipadic-utf8");
  if (tokenizer == nullptr) GTEST_SKIP() << "MeCab with IPADIC is not installed";
  expect_stored_tokens(*tokenizer, "ja-mecab");
}

TEST(Mecab, KoreanIsSacreBleusOrTheErrorNamesThePackage) {
  const auto tokenizer = mecab(BleuTokenizer::KoMecab, "mecab-ko-dic", std::getenv("HEED_KOREAN_DICTIONARY"));
  if (tokenizer == nullptr) GTEST_SKIP() << "mecab-ko is not installed";
  expect_stored_tokens(*tokenizer, "ko-mecab");
}

}  // namespace
}  // namespace heed::metrics
