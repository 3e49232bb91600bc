#include "heed/curation/survey/pair_judge.h"

#include <algorithm>
#include <cmath>

#include "heed/core/text/unicode.h"
#include "heed/curation/checks/text_checks.h"

namespace heed::curation {
namespace {

constexpr int64_t kLeastTrigrams = 12;   // to know a language: about three words
constexpr int64_t kEnoughTrigrams = 25;  // to know it as surely as from longer text
constexpr int64_t kMostOfShort = 50;     // characters: a short line may be translated by many words
constexpr int64_t kEnoughWords = 8;      // of both sides, to call them misaligned
constexpr int64_t kWordsOfSentence = 6;  // of the longer side, to call the other one truncated
constexpr int64_t kWordsOfCopy = 4;

int64_t longest_word(const SideText& text) {
  size_t longest = 0;
  for (const std::u32string_view word : text.words()) longest = std::max(longest, word.size());
  return static_cast<int64_t>(longest);
}

/// How unusual a text is for the language of its side, in standard deviations; less for a short text.
double unusual(const SideLanguage& side, const LanguageScore& own) {
  if (own.trigrams < kLeastTrigrams) return 0;
  return -side.deviation(own) * std::min(1.0, static_cast<double>(own.trigrams) / kEnoughTrigrams);
}

/// Whether a text is in another language than its side. own: its score under the profile of its side; as_other: under
/// that of the other side. Names and code are unusual on both sides: then only a text that is very unusual is found.
bool is_in_other_language(double unusual_here, double unusual_there, const LanguageScore& own,
                          const LanguageScore& as_other, double most) {
  constexpr double kVery = 1.75;
  if (unusual_here > kVery * most || (unusual_here > most && unusual_there < most / 2)) return true;
  // The fewer trigrams, the more their mean varies.
  const double clear = 0.5 + 2 / std::sqrt(static_cast<double>(own.trigrams + 1));
  return unusual_here > most / 2 && as_other.mean - own.mean > clear;
}

}  // namespace

Judgement PairJudge::judge(const Pair& pair, Buffers& buffers) const {
  buffers.source.assign(pair.source);
  buffers.target.assign(pair.target);
  Judgement judgement;
  judgement.source_words = std::ssize(buffers.source.words());
  judgement.target_words = std::ssize(buffers.target.words());
  judgement.source_characters = std::ssize(buffers.source.characters());
  judgement.target_characters = std::ssize(buffers.target.characters());
  check_texts(pair, buffers, judgement);
  if (judgement.found.contains(Filter::Empty)) return judgement;
  check_lengths(buffers, judgement);
  check_languages(buffers, judgement);
  check_alignment(buffers, judgement);
  return judgement;
}

void PairJudge::check_texts(const Pair& pair, const Buffers& buffers, Judgement& judgement) const {
  const auto& [source, target, words] = buffers;
  const auto find = [&](Filter filter, bool found) {
    if (found) judgement.found.add(filter);
  };
  find(Filter::Empty, strip(pair.source).empty() || strip(pair.target).empty());
  find(Filter::Encoding,
       pair.ill_formed || has_wrong_encoding(source.characters()) || has_wrong_encoding(target.characters()));
  find(Filter::Control, has_control_characters(source.characters()) || has_control_characters(target.characters()));
  find(Filter::Script, mixes_scripts(source) || mixes_scripts(target) || model_.source_scripts().is_foreign(source) ||
                           model_.target_scripts().is_foreign(target));
  find(Filter::Markup, markup_of(pair.source) != markup_of(pair.target));
  find(Filter::Numbers, numbers_of(source.characters()) != numbers_of(target.characters()));
  judgement.source_sentences = count_sentences(source.characters());
  judgement.target_sentences = count_sentences(target.characters());
  find(Filter::Sentences, std::abs(judgement.source_sentences - judgement.target_sentences) >= 2);
}

void PairJudge::check_lengths(const Buffers& buffers, Judgement& judgement) const {
  const auto& [source, target, words] = buffers;
  if (judgement.source_words > limits_.max_words || judgement.target_words > limits_.max_words ||
      std::max(longest_word(source), longest_word(target)) > limits_.max_word_characters) {
    judgement.found.add(Filter::Length);
  }
  const double deviation = model_.lengths().deviation(judgement.source_characters, judgement.target_characters);
  judgement.length_deviation = deviation;
  const bool long_enough = std::max(judgement.source_characters, judgement.target_characters) > kMostOfShort;
  if (long_enough && std::abs(deviation) > limits_.max_length_deviation) judgement.found.add(Filter::Ratio);
  // The shorter side has no end of a sentence, and the other one has.
  constexpr double kShort = 2;
  if (std::max(source.words_with_letters(), target.words_with_letters()) < kWordsOfSentence) return;
  const bool source_ends = ends_as_sentence(source.characters()), target_ends = ends_as_sentence(target.characters());
  const bool target_is_cut = deviation < -kShort && !target_ends && source_ends;
  const bool source_is_cut = deviation > kShort && !source_ends && target_ends;
  if (target_is_cut || source_is_cut) judgement.found.add(Filter::Truncated);
}

void PairJudge::check_languages(const Buffers& buffers, Judgement& judgement) const {
  const auto& [source, target, words] = buffers;
  judgement.source_language = model_.source_language().score(source);
  judgement.target_language = model_.target_language().score(target);
  const LanguageScore source_as_target = model_.target_language().score(source);
  const LanguageScore target_as_source = model_.source_language().score(target);
  const double source_unusual = unusual(model_.source_language(), judgement.source_language);
  const double target_unusual = unusual(model_.target_language(), judgement.target_language);
  const double most = limits_.max_language_deviation;
  if (is_in_other_language(source_unusual, target_unusual, judgement.source_language, source_as_target, most) ||
      is_in_other_language(target_unusual, source_unusual, judgement.target_language, target_as_source, most)) {
    judgement.found.add(Filter::Language);
  }
  // A copy of a name is its translation, so the text must be clearly of one of the two languages.
  constexpr double kCopied = 0.7;
  constexpr double kClear = 12;
  if (std::min(source.words_with_letters(), target.words_with_letters()) < kWordsOfCopy) return;
  if (share_of_copied_words(source, target) < kCopied || share_of_copied_words(target, source) < kCopied) return;
  const double target_is_source = target_as_source.sum() - judgement.target_language.sum();
  const double source_is_target = source_as_target.sum() - judgement.source_language.sum();
  if (target_is_source > kClear || source_is_target > kClear) judgement.found.add(Filter::Copied);
}

void PairJudge::check_alignment(Buffers& buffers, Judgement& judgement) const {
  AlignmentModel::words_of(buffers.source, buffers.words.source);
  AlignmentModel::words_of(buffers.target, buffers.words.target);
  buffers.words.source_length = judgement.source_characters;
  buffers.words.target_length = judgement.target_characters;
  judgement.alignment = model_.alignment().probability(buffers.words);
  if (judgement.source_words + judgement.target_words < kEnoughWords) return;
  if (judgement.alignment < limits_.min_alignment) judgement.found.add(Filter::Misaligned);
}

}  // namespace heed::curation
