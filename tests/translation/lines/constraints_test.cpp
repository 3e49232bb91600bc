// Properties of constrained translations, whatever tokens a vocabulary has and whatever a model finds likely.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/files/atomic_file.h"
#include "heed/core/random.h"
#include "heed/core/text/unicode.h"
#include "heed/search/beam_search.h"
#include "heed/text/bpe/bpe_tokenizer.h"
#include "heed/text/character_tokenizer.h"
#include "heed/text/sentencepiece/sentence_piece_model.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"
#include "heed/text/word_tokenizer.h"
#include "heed/translation/lines/assemble.h"
#include "heed/translation/lines/translation_constraints.h"
#include "support/fake_beam_model.h"
#include "support/phrases_in_text.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::translation {
namespace {

using heed::testing::contains_phrase;
using heed::testing::TemporaryDirectory;
using Kinds = std::map<std::string, std::shared_ptr<const text::Tokenizer>>;

std::string corpus_text() {
  std::string corpus;
  for (const std::string& line : text::testing::small_corpus()) corpus += line + '\n';
  return corpus;
}

std::shared_ptr<const text::Tokenizer> sentence_pieces(std::map<std::string, std::string> options) {
  const TemporaryDirectory directory;
  write_file(directory.file("corpus"), corpus_text());
  options.merge(std::map<std::string, std::string>{{"input", directory.file("corpus")},
                                                   {"vocab_size", "70"},
                                                   {"hard_vocab_limit", "false"},
                                                   {"pad_id", "0"},
                                                   {"unk_id", "1"},
                                                   {"bos_id", "2"},
                                                   {"eos_id", "3"},
                                                   {"minloglevel", "2"}});
  return std::make_shared<text::SentencePieceTokenizer>("trained", text::train_sentence_pieces(options).model);
}

/// One of each kind: with a mark where words begin, where they end, where units go on, with spaces as tokens, bytes.
const Kinds& kinds() {
  static const Kinds kAll = [] {
    std::vector<std::string> letters{" ", ".", "-"}, words;
    for (const std::string& line : text::testing::small_corpus()) {
      for (const std::string_view word : split_whitespace(line)) words.emplace_back(word);
      for (const std::string_view letter : heed::characters(line)) letters.emplace_back(letter);
    }
    for (auto* entries : {&letters, &words}) {
      std::ranges::sort(*entries);
      entries->erase(std::ranges::unique(*entries).begin(), entries->end());
    }
    std::vector<std::string> units = letters;
    std::erase(units, " ");
    for (const std::string_view letter : letters) {
      if (letter != " ") units.push_back(std::string(letter) + "@@");
    }
    units.insert(units.end(), {"do@@", "og", "the", "hou@@", "se", "ous@@"});
    return Kinds{
        {"words", std::make_shared<text::WordTokenizer>(text::WordTokenizer::kWordsEnding, words)},
        {"characters", std::make_shared<text::CharacterTokenizer>(letters)},
        {"units", std::make_shared<text::BpeTokenizer>(text::BpeTokenizer::Content{.codes = {}, .entries = units})},
        {"unigram", sentence_pieces({})},
        {"bpe", sentence_pieces({{"model_type", "bpe"}})},
        {"bytes", sentence_pieces({{"byte_fallback", "true"}, {"vocab_size", "330"}})},
        {"no dummy prefix", sentence_pieces({{"add_dummy_prefix", "false"}})},
        {"suffix", sentence_pieces({{"treat_whitespace_as_suffix", "true"}})},
        {"suffix without dummy",
         sentence_pieces({{"treat_whitespace_as_suffix", "true"}, {"add_dummy_prefix", "false"}})},
    };
  }();
  return kAll;
}

/// The translations of one line by a model of random scores.
std::vector<search::Hypothesis> found(const text::Tokenizer& tokenizer, const search::SearchOptions& options,
                                      uint64_t seed, const search::SentenceConstraints* of_line) {
  search::FakeBeamModel model(tokenizer.size(), search::random_scorer(tokenizer.size(), seed, 1));
  search::BeamSearch search(model, options);
  const text::Ids source{4, 5};
  search.admit(std::vector<search::SourceSentence>{{.ids = source, .constraints = of_line}});
  for (;;) {
    auto finished = search.advance();
    if (!finished.empty()) return std::move(finished[0].hypotheses);
  }
}

/// Some words and pairs of words of a text, as they would be forbidden.
std::vector<std::string> phrases_of(const std::string& text, RandomStream& random) {
  const auto words = split_whitespace(text);
  std::vector<std::string> phrases;
  for (size_t i = 0; i < words.size(); ++i) {
    if (random.below(3) == 0) phrases.emplace_back(words[i]);
    if (i > 0 && random.below(3) == 0) phrases.push_back(std::string(words[i - 1]) + " " + std::string(words[i]));
  }
  return phrases;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// Short, so that the limit is met too.
search::SearchOptions options_of(uint64_t trial) {
  search::SearchOptions options{.beam = trial % 3 == 0 ? 1 : 4, .max_length_factor = 0};
  options.max_length_constant = static_cast<int64_t>(4 + trial % 9);
  if (trial % 4 == 1) options.no_repeat_ngram = 1;
  if (trial % 5 == 2) options.min_length = options.max_length_constant;
  if (trial % 7 == 3) options.repetition_penalty = 1.5;
  options.n_best = std::min<int64_t>(options.beam, 2);
  if (trial % 4 == 2) options.method = search::SampleMethod{.draw = {.top_p = 0.9}};
  return options;
}

TEST(Constraints, NoTranslationContainsAForbiddenPhrase) {
  const TemporaryDirectory directory;
  RandomStream random(1, Purpose::Test);
  for (const auto& [kind, tokenizer] : kinds()) {
    SCOPED_TRACE(kind);
    int forbidden = 0, changed = 0;
    for (uint64_t trial = 0; trial < 12; ++trial) {
      const search::SearchOptions options = options_of(trial);
      std::vector<std::string> never;
      std::string first;
      for (int round = 0; round < 4; ++round) {  // what is found instead is forbidden as well
        write_file(directory.file("never"), joined_lines(never));
        TranslationConstraints constraints(tokenizer);
        constraints.read_forbidden(directory.file("never"));
        const auto of_line = constraints.of_line("", trial % 6 == 5 ? "the dog" : "");
        std::string text;
        for (const auto& hypothesis : found(*tokenizer, options, trial, of_line.get())) {
          text = line_of(*tokenizer, hypothesis.ids);
          for (const std::string& phrase : never) {
            if (trial % 6 == 5 && contains_phrase("the dog", phrase)) continue;
            EXPECT_FALSE(contains_phrase(text, phrase)) << "'" << phrase << "' is in '" << text << "'";
          }
        }
        if (round == 0) first = text;
        changed += text != first ? 1 : 0;
        for (std::string& phrase : phrases_of(text, random)) never.push_back(std::move(phrase));
      }
      forbidden += static_cast<int>(never.size());
    }
    EXPECT_GT(forbidden, 12);
    EXPECT_GT(changed, 6);
  }
}

TEST(Constraints, TermsAreWordsOfTheirOwn) {
  const TemporaryDirectory directory;
  write_file(directory.file("terms"), "a\tdog\nb\tthe house\nc\twalks\n");
  for (const auto& [kind, tokenizer] : kinds()) {
    SCOPED_TRACE(kind);
    TranslationConstraints constraints(tokenizer);
    constraints.read_terms(directory.file("terms"));
    for (uint64_t trial = 0; trial < 24; ++trial) {
      search::SearchOptions options = options_of(trial);
      options.method = search::BeamMethod{};
      options.no_repeat_ngram = 0;
      const auto of_line = constraints.of_line(trial % 2 == 0 ? "a b" : "c", trial % 6 == 5 ? "the great" : "");
      for (const auto& hypothesis : found(*tokenizer, options, trial, of_line.get())) {
        const std::string text = line_of(*tokenizer, hypothesis.ids);
        EXPECT_FALSE(hypothesis.ended_by_rules) << text;
        for (const char* term : trial % 2 == 0 ? std::vector{"dog", "the house"} : std::vector{"walks"}) {
          EXPECT_TRUE(contains_phrase(text, term)) << "'" << term << "' is not in '" << text << "'";
        }
      }
    }
  }
}

TEST(Constraints, RulesThatLeaveNoTokenEndTheLineAndNothingElse) {
  const TemporaryDirectory directory;
  for (const auto& [kind, tokenizer] : kinds()) {
    SCOPED_TRACE(kind);
    std::vector<std::string> all;  // every token alone
    for (int32_t id = text::kUnk; id < tokenizer->size(); ++id) all.push_back(tokenizer->decode(text::Ids{id}));
    write_file(directory.file("never"), joined_lines(all));
    TranslationConstraints constraints(tokenizer);
    constraints.read_forbidden(directory.file("never"));
    const auto of_line = constraints.of_line("", "");
    for (uint64_t trial = 0; trial < 12; ++trial) {
      search::SearchOptions options = options_of(trial);
      options.no_repeat_ngram = 1;
      options.min_length = options.max_length_constant = 400;  // more than there are tokens
      const auto hypotheses = found(*tokenizer, options, trial, of_line.get());
      ASSERT_FALSE(hypotheses.empty());
      EXPECT_TRUE(hypotheses[0].ended_by_rules);
      for (const std::string& phrase : all) {
        EXPECT_FALSE(contains_phrase(line_of(*tokenizer, hypotheses[0].ids), phrase)) << phrase;
      }
    }
  }
}

}  // namespace
}  // namespace heed::translation
