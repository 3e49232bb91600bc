#include "heed/text/tokenizers/tokenizer_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/unicode.h"
#include "heed/text/placeholders.h"
#include "heed/text/targets/labels.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using heed::testing::TemporaryDirectory;
using testing::small_corpus;
using testing::source_of;

std::vector<TokenizerOptions> every_kind() {
  const SubwordOptions small{.size = {.vocab_size = 70}};
  return {{.type = UnigramOptions{.subwords = small}},
          {.type = SentencePieceBpeOptions{.subwords = small}},
          {.type = WordsOptions{}},
          {.type = BpeOptions{.merges = 40, .glossaries = {"uber", "a.*"}}},
          {.type = CharactersOptions{}},
          {.type = PretokenizedOptions{.separator = "s"}}};
}

TEST(TokenizerFiles, EveryKindReadsBackAsItWas) {
  for (TokenizerOptions options : every_kind()) {
    for (const bool joint : {true, false}) {
      options.joint = joint;
      const TemporaryDirectory directory;
      const auto learned =
          learn_tokenizers(options, source_of(small_corpus()), source_of({"ein Hund bellt . über das Haus"}));
      save_tokenizers(learned, directory.path());
      const auto loaded = load_tokenizers(directory.path());
      EXPECT_EQ(loaded.source == loaded.target, learned.source == learned.target);
      EXPECT_EQ(loaded.source->serialized(), learned.source->serialized());
      EXPECT_EQ(loaded.target->serialized(), learned.target->serialized());
      for (const std::string& line : small_corpus()) {
        const Ids ids = loaded.source->encode(line);
        ASSERT_EQ(ids, learned.source->encode(line));
        ASSERT_EQ(loaded.source->decode(ids), learned.source->decode(ids));
      }
    }
  }
}

/// Lines of what some readers take for line ends, white space, marks of formats or the end of a text.
std::vector<std::string> hostile_lines() {
  const std::vector<std::string> parts{
      "\r",     "\u0085", "\u2028",  "\u2029", "\ufeff", "\v",         "\f",
      "\x1c",   "\x1e",   "\x01",    "\x7f",   "\t",     "\"",         "'",
      "\\",     "#",      "#merges", "</w>",   "@@",     "<unk>",      "</s>",
      "\u00a0", "\u3000", "\u2581",  "\u200b", "\u0300", "\U0001F600", std::string(1, '\0')};
  std::vector<std::string> lines{"low lower lowest low", std::string(5000, 'x'), "#version: 0.2", "#version: 1"};
  for (const std::string& part : parts) {
    lines.push_back(part);
    lines.push_back("c" + part + "d c" + part + "d");
    lines.push_back(part + "c d" + part + " " + part + part);
  }
  return lines;
}

TEST(TokenizerFiles, EveryKindReadsBackWhateverTheTextHolds) {
  std::vector<TokenizerOptions> kinds = every_kind();
  for (TokenizerOptions& kind : kinds) {
    if (auto* unigram = std::get_if<UnigramOptions>(&kind.type)) unigram->subwords.size.vocab_size = 90;
    if (auto* bpe = std::get_if<SentencePieceBpeOptions>(&kind.type)) bpe->subwords.size.vocab_size = 90;
  }
  kinds.push_back(
      {.type = BpeOptions{.merges = 200, .minimum_frequency = 1, .glossaries = {"c\rd", " ", "#merges: 9"}}});
  kinds.push_back({.type = BpeOptions{.merges = 200, .minimum_frequency = 1, .separator = "#", .dropout = 0.1}});
  const std::vector<std::string> lines = hostile_lines();
  for (const TokenizerOptions& options : kinds) {
    const TemporaryDirectory directory;
    const auto learned = learn_tokenizers(options, source_of(lines), source_of(lines));
    save_tokenizers(learned, directory.path());
    const auto loaded = load_tokenizers(directory.path());
    ASSERT_EQ(loaded.source->serialized(), learned.source->serialized()) << learned.source->file_ending();
    for (const std::string& line : lines) ASSERT_EQ(loaded.source->encode(line), learned.source->encode(line)) << line;
  }
}

TEST(TokenizerFiles, LabelsReadBackWhateverTheTextHolds) {
  for (const LabelUnit unit : {LabelUnit::Line, LabelUnit::Word}) {
    const TemporaryDirectory directory;
    std::vector<std::string> lines;
    for (const std::string& line : hostile_lines()) {
      const auto words = split_whitespace(line);
      if (!words.empty()) lines.emplace_back(words.front());
    }
    const auto learned = learn_labels(unit, source_of(lines));
    write_file(directory.file("target.labels"), learned->serialized());
    EXPECT_EQ(load_tokenizer(directory.file("target.labels"))->serialized(), learned->serialized());
  }
}

TEST(TokenizerFiles, ALanguageModelSavesItsTargetOnly) {
  const TemporaryDirectory directory;
  save_tokenizers(learn_tokenizers({.type = WordsOptions{}}, {}, source_of({"a"})), directory.path());
  EXPECT_FALSE(std::filesystem::exists(directory.file("source.words")));
  EXPECT_EQ(load_tokenizers(directory.path()).source, nullptr);
}

TEST(TokenizerFiles, PlaceholdersAreSavedToo) {
  const TemporaryDirectory directory;
  Tokenizers tokenizers = learn_tokenizers({.type = WordsOptions{}}, {}, source_of({"a"}));
  tokenizers.placeholders =
      std::make_shared<const Placeholders>(ProtectedRules{.kinds = {ProtectedKind::Url}, .patterns = {"a\\d"}});
  save_tokenizers(tokenizers, directory.path());
  const Tokenizers read = load_tokenizers(directory.path());
  ASSERT_TRUE(read.placeholders);
  EXPECT_EQ(read.placeholders->rules(), tokenizers.placeholders->rules());
  EXPECT_EQ(with_sampling(read, NoSampling{}, 0).placeholders, read.placeholders);
}

TEST(TokenizerFiles, SayWhatIsMissingOrUnknown) {
  const TemporaryDirectory directory;
  EXPECT_EQ(message_of<CheckpointError>([&] { load_tokenizers(directory.path()); }),
            directory.path() +
                ": has no target tokenizer (target.spm, target.pieces, target.codes, target.words, target.characters, "
                "target.tokens, target.labels, target.numbers)");
  EXPECT_EQ(message_of<InputError>([] { load_tokenizer("a/b.vocab"); }),
            "a/b.vocab: expected a tokenizer file, which ends in .spm, .pieces, .codes, .words, .characters, .tokens, "
            ".labels, .numbers or .model");
  EXPECT_EQ(message_of<FileError>([&] { load_tokenizer(directory.file("x.spm")); }),
            directory.file("x.spm") + ": cannot open: No such file or directory");
  write_file(directory.file("x.spm"), "no model");
  EXPECT_EQ(message_of<InputError>([&] { load_tokenizer(directory.file("x.spm")); }),
            directory.file("x.spm") + ": expected a SentencePiece model");
}

TEST(TokenizerFiles, ASentencePieceModelMayHaveItsOwnProgramsEnding) {
  const TemporaryDirectory directory;
  const auto learned = learn_tokenizers(every_kind()[0], source_of(small_corpus()), source_of({"ein Hund"}));
  write_file(directory.file("de.model"), learned.source->serialized());
  const auto loaded = load_tokenizer(directory.file("de.model"));
  EXPECT_EQ(loaded->encode(small_corpus()[0]), learned.source->encode(small_corpus()[0]));
  EXPECT_EQ(loaded->file_ending(), "spm");
}

TEST(TokenizerFiles, SamplingIsSetAfterLoading) {
  const SubwordOptions alike{.size = {.vocab_size = 70}, .normalizer = Normalizer::NmtNfkc};
  const TokenizerOptions plain{.type = UnigramOptions{.subwords = alike}};
  TokenizerOptions sampling = plain;
  std::get<UnigramOptions>(sampling.type).sampling = NbestSampling{};
  const auto learned = learn_tokenizers(plain, source_of(small_corpus()), source_of({"ein Hund"}));
  EXPECT_EQ(with_sampling(learned, plain).target, learned.target);
  const auto sampled = with_sampling(learned, sampling);
  EXPECT_TRUE(sampled.target->samples());
  EXPECT_EQ(sampled.source, sampled.target);
  EXPECT_EQ(sampled.target->serialized(), learned.target->serialized());
  const auto words = learn_tokenizers({.type = WordsOptions{}}, {}, source_of({"a"}));
  const Tokenizers labels{.source = learned.source,
                          .target = std::make_shared<LabelTokenizer>(LabelUnit::Line, std::vector<std::string>{"a"})};
  EXPECT_TRUE(with_sampling(labels, sampling).source->samples()) << "labels are not drawn";
  EXPECT_EQ(message_of<ConfigError>([&] { with_sampling(words, sampling); }),
            "`text.sampling` needs a unigram tokenizer");
}

}  // namespace
}  // namespace heed::text
