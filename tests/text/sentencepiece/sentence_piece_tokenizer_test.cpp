#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "support/message_of.h"
#include "text/small_corpus.h"

namespace heed::text {
namespace {

using heed::testing::message_of;
using testing::learn_one;
using testing::small_corpus;

TokenizerOptions unigram(SubwordOptions subwords = {.size = {.vocab_size = 70}}) {
  return {.type = UnigramOptions{.subwords = std::move(subwords)}};
}
TokenizerOptions sampling(double alpha, int64_t nbest) {
  return {.type = UnigramOptions{.subwords = {.size = {.vocab_size = 70}}, .sampling = NbestSampling{alpha, nbest}}};
}
const TokenizerOptions kBpe{.type = SentencePieceBpeOptions{.subwords = {.size = {.vocab_size = 70}}}};

TEST(SentencePieceTokenizer, DecodesWhatItEncodes) {
  for (const auto& options : {unigram(), kBpe}) {
    const auto tokenizer = learn_one(options);
    for (const std::string& line : small_corpus()) EXPECT_EQ(tokenizer->decode(tokenizer->encode(line)), line);
    EXPECT_EQ(tokenizer->encode(""), Ids{});
    EXPECT_EQ(tokenizer->encode("  "), Ids{});
    EXPECT_EQ(tokenizer->decode(Ids{}), "");
  }
}

TEST(SentencePieceTokenizer, HasTheSpecialIdsAndNoTextIsOne) {
  const auto tokenizer = learn_one(unigram());
  EXPECT_EQ(tokenizer->piece(kPad), "<pad>");
  EXPECT_EQ(tokenizer->piece(kUnk), "<unk>");
  EXPECT_EQ(tokenizer->piece(kBos), "<s>");
  EXPECT_EQ(tokenizer->piece(kEos), "</s>");
  for (const int32_t id : tokenizer->encode("<pad><s></s><unk> a dog")) EXPECT_TRUE(id == kUnk || id > kEos);
  EXPECT_THROW(tokenizer->piece(static_cast<int32_t>(tokenizer->size())), std::logic_error);
}

TEST(SentencePieceTokenizer, SpecialIdsVanishAndUnknownCharactersShow) {
  const auto tokenizer = learn_one(unigram());
  Ids ids = tokenizer->encode("the dog");
  ids.insert(ids.begin(), kBos);
  ids.insert(ids.end(), {kEos, kPad, kPad});
  EXPECT_EQ(tokenizer->decode(ids), "the dog");
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("a 猫 dog")), "a \u2047 dog");
}

TEST(SentencePieceTokenizer, ByteFallbackKeepsEveryCharacter) {
  const auto tokenizer = learn_one(unigram({.size = {.vocab_size = 330}, .byte_fallback = true}));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("a 猫\U0001F600 dog")), "a 猫\U0001F600 dog");
}

TEST(SentencePieceTokenizer, ADecodedLineIsOneLine) {
  const auto tokenizer = learn_one(unigram({.size = {.vocab_size = 330}, .byte_fallback = true}));
  Ids ids = tokenizer->encode("a");
  for (int32_t id = 4; id < tokenizer->size(); ++id) {
    if (tokenizer->piece(id) == "<0x0A>") ids.push_back(id);
  }
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(tokenizer->decode(ids), "a ");
}

TEST(SentencePieceTokenizer, WordsAreThoseOfTheDecodedTextForAnyIds) {
  RandomStream random(3, Purpose::Test);
  for (const bool bytes : {false, true}) {
    const auto tokenizer = learn_one(unigram({.size = {.vocab_size = bytes ? 330 : 70}, .byte_fallback = bytes}));
    for (int i = 0; i < 300; ++i) {
      Ids ids(random.below(12));
      for (int32_t& id : ids) id = static_cast<int32_t>(random.below(static_cast<uint64_t>(tokenizer->size())));
      const auto words = tokenizer->words(ids);
      ASSERT_EQ(words.size(), ids.size());
      const std::string text = tokenizer->decode(ids);
      const std::set<int64_t> distinct(words.begin(), words.end());
      const auto count = static_cast<int64_t>(split_whitespace(text).size());
      EXPECT_EQ(static_cast<int64_t>(distinct.size()) - (distinct.contains(-1) ? 1 : 0), count) << text;
      EXPECT_EQ(distinct.empty() ? -1 : *distinct.rbegin(), count - 1);
    }
  }
}

TEST(SentencePieceTokenizer, WordsOfALineAreItsOwnWhateverNormalizationMakesOfThem) {
  for (const bool bytes : {false, true}) {
    const auto tokenizer = learn_one(unigram({.size = {.vocab_size = bytes ? 330 : 70}, .byte_fallback = bytes}));
    // An acute accent becomes a space and a mark, a zero-width space a space, a ligature two letters.
    const std::string line = " the\u00b4s  dog\u200bs\t\u732b \ufb01nd ";
    const LineWords words = tokenizer->line_words(line);
    EXPECT_EQ(words.words, (std::vector<std::string>{"the\u00b4s", "dog\u200bs", "\u732b", "\ufb01nd"}));
    const Ids ids = tokenizer->encode(line);
    ASSERT_EQ(words.of_id.size(), ids.size());
    EXPECT_TRUE(std::ranges::is_sorted(words.of_id));
    std::map<int64_t, Ids> of_word;
    for (size_t i = 0; i < ids.size(); ++i) of_word[words.of_id[i]].push_back(ids[i]);
    ASSERT_EQ(of_word.size(), 4u);
    for (int64_t word = 0; word < 4; ++word) {
      EXPECT_EQ(of_word[word], tokenizer->encode(words.words[static_cast<size_t>(word)])) << word;
    }
  }
}

TEST(SentencePieceTokenizer, SamplesSegmentationsOfTheSameText) {
  const auto tokenizer = learn_one(sampling(0.1, 32));
  EXPECT_TRUE(tokenizer->samples());
  EXPECT_FALSE(learn_one(unigram())->samples());
  std::set<Ids> seen;
  for (uint64_t draw = 0; draw < 50; ++draw) {
    RandomStream random(1, Purpose::Subwords, draw, 7);
    const Ids ids = tokenizer->sample("the greater houses walking", random);
    EXPECT_EQ(tokenizer->decode(ids), "the greater houses walking");
    seen.insert(ids);
  }
  EXPECT_GT(seen.size(), 5u);
}

TEST(SentencePieceTokenizer, ASampleDependsOnItsStreamAlone) {
  const auto tokenizer = learn_one(sampling(0.1, 32));
  const auto draw = [&](uint64_t line) {
    RandomStream random(1, Purpose::Subwords, 0, line);
    return tokenizer->sample("the greater houses walking", random);
  };
  std::vector<Ids> forward, backward;
  for (uint64_t line = 0; line < 20; ++line) forward.push_back(draw(line));
  for (uint64_t line = 20; line-- > 0;) backward.push_back(draw(line));
  EXPECT_EQ(forward, std::vector<Ids>(backward.rbegin(), backward.rend()));
}

TEST(SentencePieceTokenizer, SamplesByProbability) {
  const auto tokenizer = learn_one(sampling(0.5, 4));
  sentencepiece::SentencePieceProcessor reference;
  ASSERT_TRUE(reference.LoadFromSerializedProto(tokenizer->serialized()).ok());
  const auto nbest = reference.NBestEncodeAsImmutableProto("houses", 4);
  std::map<Ids, double> expected;
  double total = 0;
  for (const auto& candidate : nbest.nbests()) total += std::exp(0.5 * candidate.score());
  for (const auto& candidate : nbest.nbests()) {
    Ids ids;
    for (const auto& piece : candidate.pieces()) ids.push_back(static_cast<int32_t>(piece.id()));
    expected[ids] = std::exp(0.5 * candidate.score()) / total;
  }
  ASSERT_GT(expected.size(), 1u);
  std::map<Ids, int> drawn;
  RandomStream random(9, Purpose::Subwords);
  for (int i = 0; i < 4000; ++i) ++drawn[tokenizer->sample("houses", random)];
  for (const auto& [ids, probability] : expected) EXPECT_NEAR(drawn[ids] / 4000.0, probability, 0.03);
}

TEST(SentencePieceTokenizer, LargeAlphaAlwaysDrawsTheBest) {
  const auto tokenizer = learn_one(sampling(1000, 8));
  RandomStream random(2, Purpose::Subwords);
  for (const std::string& line : {std::string("the houses barking"), std::string(), std::string("  ")}) {
    EXPECT_EQ(tokenizer->sample(line, random), tokenizer->encode(line));
  }
}

std::shared_ptr<const Tokenizer> from_lattice(double alpha, SubwordOptions subwords = {.size = {.vocab_size = 70}}) {
  return learn_one({.type = UnigramOptions{.subwords = std::move(subwords), .sampling = LatticeSampling{alpha}}});
}

TEST(SentencePieceTokenizer, SamplesFromTheLatticeByProbability) {
  const auto tokenizer = from_lattice(0.5);
  EXPECT_TRUE(tokenizer->samples());
  sentencepiece::SentencePieceProcessor reference;
  ASSERT_TRUE(reference.LoadFromSerializedProto(tokenizer->serialized()).ok());
  const auto nbest = reference.NBestEncodeAsImmutableProto("greater houses", 1000);  // all there are
  std::map<Ids, double> expected;
  double total = 0;
  for (const auto& candidate : nbest.nbests()) total += std::exp(0.5 * candidate.score());
  for (const auto& candidate : nbest.nbests()) {
    Ids ids;
    for (const auto& piece : candidate.pieces()) ids.push_back(static_cast<int32_t>(piece.id()));
    expected[ids] = std::exp(0.5 * candidate.score()) / total;
  }
  ASSERT_GT(expected.size(), 5u);
  ASSERT_LT(expected.size(), 1000u);
  constexpr int kDraws = 20000;
  std::map<Ids, int> drawn;
  RandomStream random(9, Purpose::Subwords);
  for (int i = 0; i < kDraws; ++i) ++drawn[tokenizer->sample("greater houses", random)];
  for (const auto& [ids, count] : drawn) ASSERT_TRUE(expected.contains(ids));
  for (const auto& [ids, probability] : expected) EXPECT_NEAR(drawn[ids] / double{kDraws}, probability, 0.015);
}

TEST(SentencePieceTokenizer, LatticeSamplesAreOfTheSameText) {
  const auto tokenizer = from_lattice(0.1);
  RandomStream random(3, Purpose::Subwords);
  for (const std::string& line : small_corpus()) EXPECT_EQ(tokenizer->decode(tokenizer->sample(line, random)), line);
  EXPECT_EQ(tokenizer->sample("", random), Ids{});
  EXPECT_EQ(tokenizer->decode(tokenizer->sample("a 猫犬 dog", random)), "a \u2047 dog");
}

// A user symbol may have characters without a piece: the lattice has unknown characters beside it.
TEST(SentencePieceTokenizer, AnUnknownCharacterIsMuchLessLikelyThanAnyPiece) {
  const auto tokenizer = from_lattice(0.1, {.size = {.vocab_size = 70}, .user_symbols = {"猫犬"}});
  sentencepiece::SentencePieceProcessor model;
  ASSERT_TRUE(model.LoadFromSerializedProto(tokenizer->serialized()).ok());
  double lowest = 0, highest = -1e9;
  for (int id = 0; id < model.GetPieceSize(); ++id) {
    const double score{model.GetScore(id)};
    if (model.IsControl(id) || model.IsUnknown(id) || score == 0) continue;
    lowest = std::min(lowest, score);
    highest = std::max(highest, score);
  }
  // Behind the mark of a word: the symbol, whose score grows with its six bytes, or two unknown characters.
  const double symbol = std::exp(0.1 * (6 * highest - 0.1)), unknown = std::exp(0.1 * 2 * (lowest - 10));
  const double share = unknown / (unknown + symbol);
  constexpr int kDraws = 20000;
  RandomStream random(4, Purpose::Subwords);
  int drawn = 0;
  for (int i = 0; i < kDraws; ++i) {
    const Ids ids = tokenizer->sample("猫犬", random);
    const auto unknowns = std::ranges::count(ids, kUnk);
    EXPECT_LE(unknowns, 1) << "neighbors are one token";
    drawn += unknowns > 0;
  }
  EXPECT_NEAR(drawn / double{kDraws}, share, 0.25 * share + 0.003);
}

TEST(SentencePieceTokenizer, ALatticeOfLargeAlphaDrawsTheBest) {
  const SubwordOptions symbols{.size = {.vocab_size = 70}, .user_symbols = {"<url>"}};
  const SubwordOptions bytes{.size = {.vocab_size = 400}, .byte_fallback = true};
  for (const SubwordOptions& subwords : {symbols, bytes}) {
    const auto tokenizer = from_lattice(1000, subwords);
    RandomStream random(2, Purpose::Subwords);
    for (const std::string& line :
         {std::string("the houses barking 猫犬"), std::string("x<url>y dog"), std::string(" ")}) {
      EXPECT_EQ(tokenizer->sample(line, random), tokenizer->encode(line)) << line;
    }
  }
}

class CorpusLines : public sentencepiece::SentenceIterator {
 public:
  bool done() const override { return next_ == lines_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_ = small_corpus();
  size_t next_ = 0;
};

/// A model that SentencePiece trains by its own options: with unk 0, bos 1, eos 2 and no pad unless these say
/// otherwise.
std::string model_with(std::unordered_map<std::string, std::string> options) {
  options.merge(std::unordered_map<std::string, std::string>{
      {"vocab_size", "70"}, {"hard_vocab_limit", "false"}, {"minloglevel", "3"}});
  CorpusLines lines;
  std::string model;
  EXPECT_TRUE(sentencepiece::SentencePieceTrainer::Train(options, &lines, &model).ok());
  return model;
}

TEST(SentencePieceTokenizer, SpellsWhatItDecodes) {
  for (const auto& [option, value] :
       std::vector<std::pair<std::string, std::string>>{{"add_dummy_prefix", "true"},
                                                        {"add_dummy_prefix", "false"},
                                                        {"treat_whitespace_as_suffix", "true"},
                                                        {"byte_fallback", "true"}}) {
    const SentencePieceTokenizer tokenizer("x.spm", model_with({{option, value}, {"vocab_size", "330"}}));
    for (const std::string& line : small_corpus()) {
      std::string spelled;
      for (const int32_t id : tokenizer.encode(line)) spelled += tokenizer.spelling(id);
      EXPECT_EQ(strip(spelled), line) << option;
    }
  }
}

TEST(SentencePieceTokenizer, ASpaceBehindTheLastWordIsNotDecoded) {
  const SentencePieceTokenizer tokenizer("x.spm", model_with({{"treat_whitespace_as_suffix", "true"}}));
  for (const std::string& line : small_corpus()) {
    const Ids ids = tokenizer.encode(line);
    EXPECT_TRUE(tokenizer.spelling(ids.back()).ends_with(' ')) << "as within a line";
    EXPECT_EQ(tokenizer.decode(ids), line);
  }
  Ids ids = tokenizer.encode("the dog");
  const Ids more = tokenizer.encode("barks");
  ids.insert(ids.end(), more.begin(), more.end());
  EXPECT_EQ(tokenizer.decode(ids), "the dog barks");
}

TEST(SentencePieceTokenizer, TakesModelsWithOtherSpecialIds) {
  const std::string model = model_with({});
  const SentencePieceTokenizer tokenizer("x.spm", model);
  EXPECT_EQ(tokenizer.piece(kPad), "<pad>");
  EXPECT_EQ(tokenizer.piece(kUnk), "<unk>");
  EXPECT_EQ(tokenizer.piece(kBos), "<s>");
  EXPECT_EQ(tokenizer.piece(kEos), "</s>");
  sentencepiece::SentencePieceProcessor reference;
  ASSERT_TRUE(reference.LoadFromSerializedProto(model).ok());
  EXPECT_EQ(tokenizer.size(), reference.GetPieceSize() + 1);  // with pad
  for (const std::string& line : small_corpus()) {
    Ids ids = tokenizer.encode(line);
    std::vector<std::string> pieces;
    for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
    EXPECT_EQ(pieces, reference.EncodeAsPieces(line));
    ids.insert(ids.end(), {kEos, kPad});
    EXPECT_EQ(tokenizer.decode(ids), line);
  }
  EXPECT_EQ(tokenizer.encode("猫").back(), kUnk);
}

TEST(SentencePieceTokenizer, OnlyAUnigramModelSamples) {
  const auto tokenizer = learn_one(kBpe);
  EXPECT_EQ(
      message_of<ConfigError>([&] { dynamic_cast<const SentencePieceTokenizer&>(*tokenizer).with(NbestSampling{}); }),
      "`text.sampling` needs a unigram tokenizer: this model's segmentations have no probabilities");
  RandomStream random(1, Purpose::Subwords);
  EXPECT_EQ(tokenizer->sample("the dog", random), tokenizer->encode("the dog"));
}

TEST(SentencePieceTokenizer, RefusesWhatIsNoModelOfOurs) {
  EXPECT_EQ(message_of<InputError>([] { SentencePieceTokenizer("x.spm", "garbage"); }),
            "x.spm: expected a SentencePiece model");
  EXPECT_EQ(message_of<InputError>([] { SentencePieceTokenizer("x.spm", ""); }),
            "x.spm: expected a SentencePiece model");
}

}  // namespace
}  // namespace heed::text
