#include "heed/curation/learned/corpus_model.h"

#include <algorithm>

#include <unicode/uchar.h>

namespace heed::curation {
namespace {

/// Scripts that are mixed in one language count as one.
UScriptCode group_of(UScriptCode script) {
  switch (script) {
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_BOPOMOFO:
    case USCRIPT_HANGUL:
      return USCRIPT_HAN;
    default:
      return script;
  }
}

std::vector<std::u32string> copied(const std::vector<std::u32string_view>& words) {
  return {words.begin(), words.end()};
}

}  // namespace

void PairSample::add(uint64_t key, const std::string& source, const std::string& target) {
  if (key > largest_ || size_ == 0) return;
  entries_.push_back({key, source, target});
  if (entries_.size() >= 2 * size_) shrink();
}

void PairSample::shrink() {
  std::ranges::sort(entries_, {}, &Entry::key);
  const auto rest = std::ranges::unique(entries_, {}, &Entry::key);
  entries_.erase(rest.begin(), rest.end());
  if (entries_.size() <= size_) return;
  entries_.resize(size_);
  largest_ = entries_.back().key;
}

std::vector<std::pair<std::string, std::string>> PairSample::take() {
  shrink();
  std::vector<std::pair<std::string, std::string>> pairs;
  for (Entry& entry : entries_) pairs.emplace_back(std::move(entry.source), std::move(entry.target));
  entries_.clear();
  return pairs;
}

std::vector<std::pair<UScriptCode, int64_t>> SideScripts::count(const SideText& text) {
  std::vector<std::pair<UScriptCode, int64_t>> counts;
  for (const std::u32string_view word : text.words()) {
    for (const char32_t c : word) {
      if (c <= '9') continue;
      UErrorCode error = U_ZERO_ERROR;
      const UScriptCode script =
          c < 0x80 ? USCRIPT_LATIN : group_of(uscript_getScript(static_cast<UChar32>(c), &error));
      if (script == USCRIPT_COMMON || script == USCRIPT_INHERITED) continue;
      const auto found = std::ranges::find(counts, script, &std::pair<UScriptCode, int64_t>::first);
      found == counts.end() ? counts.emplace_back(script, 1).second : ++found->second;
    }
  }
  return counts;
}

void SideScripts::add(const SideText& text) {
  for (const auto& [script, letters] : count(text)) {
    const auto found = std::ranges::find(counts_, script, &std::pair<UScriptCode, int64_t>::first);
    found == counts_.end() ? counts_.emplace_back(script, letters).second : found->second += letters;
    letters_ += letters;
  }
}

bool SideScripts::is_foreign(const SideText& text) const {
  constexpr int64_t kFew = 4;  // one of this many letters of a side
  int64_t usual = 0, foreign = 0;
  for (const auto& [script, letters] : count(text)) {
    const auto found = std::ranges::find(counts_, script, &std::pair<UScriptCode, int64_t>::first);
    const bool is_usual = found != counts_.end() && found->second * kFew >= letters_;
    (is_usual ? usual : foreign) += letters;
  }
  if (letters_ == 0) return false;
  constexpr int64_t kLeast = 3;  // α and µ are no text in Greek
  return foreign >= kLeast && foreign > usual;
}

double share_of_copied_words(const SideText& source, const SideText& target) {
  const std::unordered_set<std::u32string_view> known(source.words().begin(), source.words().end());
  int64_t copied_words = 0, words = 0;
  for (const std::u32string_view word : target.words()) {
    if (word.find_first_not_of(U"0123456789") == std::u32string_view::npos) continue;
    ++words;
    copied_words += known.contains(word);
  }
  return words > 0 ? static_cast<double>(copied_words) / static_cast<double>(words) : 0;
}

/// Copies would teach the languages of both sides to each profile, and the table that words are their own translations.
CorpusModel::CorpusModel(const std::vector<std::pair<std::string, std::string>>& sample, uint64_t seed) {
  constexpr double kCopied = 0.6;
  constexpr size_t kLanguageLines = 50'000;  // more teach a profile nothing
  std::vector<std::vector<std::u32string>> source_words, target_words;
  std::vector<std::pair<int64_t, int64_t>> lengths;
  std::vector<WordPair> pairs;
  SideText source, target;
  for (const auto& [source_text, target_text] : sample) {
    source.assign(source_text);
    target.assign(target_text);
    source_scripts_.add(source);
    target_scripts_.add(target);
    if (share_of_copied_words(source, target) > kCopied && target.words().size() > 2) continue;
    if (source_words.size() < kLanguageLines) {
      source_words.push_back(copied(source.words()));
      target_words.push_back(copied(target.words()));
    }
    lengths.emplace_back(std::ssize(source.characters()), std::ssize(target.characters()));
    WordPair& pair = pairs.emplace_back();
    AlignmentModel::words_of(source, pair.source);
    AlignmentModel::words_of(target, pair.target);
    pair.source_length = lengths.back().first;
    pair.target_length = lengths.back().second;
  }
  learned_pairs_ = std::ssize(pairs);
  source_language_ = std::make_unique<SideLanguage>(source_words);
  target_language_ = std::make_unique<SideLanguage>(target_words);
  lengths_ = std::make_unique<LengthModel>(lengths);
  alignment_ = std::make_unique<AlignmentModel>(pairs, *lengths_, seed);
}

}  // namespace heed::curation
