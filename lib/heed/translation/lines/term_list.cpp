#include "heed/translation/lines/term_list.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <unicode/uchar.h>

#include "heed/core/text/unicode.h"
#include "heed/text/word_boundary.h"
#include "heed/translation/lines/sentences.h"

namespace heed::translation {
namespace {

/// The words, separated by single spaces.
std::string spaced(std::string_view text) {
  std::string result;
  for (const std::string_view word : split_whitespace(text)) {
    if (!result.empty()) result += ' ';
    result += word;
  }
  return result;
}

/// The match for the characters [begin, end) of a line, whose words are separated by single spaces.
TermMatch match_at(std::u32string_view line, size_t begin, size_t end) {
  const size_t before = line.rfind(U' ', begin), first = before == line.npos ? 0 : before + 1;
  const size_t last = std::min(line.find(U' ', end), line.size());
  const auto count = [](std::u32string_view text) { return static_cast<size_t>(std::ranges::count(text, U' ')); };
  const auto bytes = [&](size_t to) { return to_utf8(line.substr(first, to - first)).size(); };
  TermMatch match{.first_word = count(line.substr(0, first)), .words = to_utf8(line.substr(first, last - first))};
  match.end_word = match.first_word + count(line.substr(first, last - first)) + 1;
  match.begin = bytes(begin);
  match.end = bytes(end);
  return match;
}

/// The places of a line up to the first letter of each sentence: quotes and brackets may precede it.
std::vector<bool> sentence_begins(std::string_view line, const std::vector<text::WordClass>& classes) {
  std::vector<bool> begins(classes.size());
  size_t sentence = 0;
  for (const std::string_view stretch : sentences(line)) {
    const size_t end = sentence + to_code_points(stretch).size();
    for (size_t i = sentence; i < end; ++i) {
      begins[i] = true;
      if (classes[i] != text::WordClass::Space && classes[i] != text::WordClass::Separator) break;
    }
    sentence = end;
  }
  return begins;
}

/// Whether a character is an upper-case or title-case letter.
bool is_capital(char32_t character) {
  const auto code = static_cast<UChar32>(character);
  return u_isupper(code) != 0 || u_istitle(code) != 0;
}

/// `text` with its first letter in title case, by Unicode's simple mapping.
std::string with_capital(std::string_view text) {
  std::u32string letters = to_code_points(text);
  if (!letters.empty()) letters.front() = static_cast<char32_t>(u_totitle(static_cast<UChar32>(letters.front())));
  return to_utf8(letters);
}

/// Adds each target with a capital, where that is another one.
void add_capitals(std::vector<std::string>& targets) {
  for (size_t i = 0, count = targets.size(); i < count; ++i) {
    std::string capital = with_capital(targets[i]);
    if (std::ranges::find(targets, capital) == targets.end()) targets.push_back(std::move(capital));
  }
}

}  // namespace

void TermList::add(std::string_view source, std::string_view target) {
  std::string name = spaced(source);
  Term& term = terms_[fold_case_ ? lower(name) : name];
  if (term.source.empty()) term.source = to_code_points(name);
  longest_ = std::max(longest_, term.source.size());
  if (std::ranges::find(term.targets, target) == term.targets.end()) term.targets.emplace_back(target);
}

const TermList::Term* TermList::find(std::u32string_view letters, bool begins_sentence) const {
  const auto named = [&](const std::string& name) {
    const auto found = terms_.find(name);
    return found == terms_.end() ? nullptr : &found->second;
  };
  const std::string name = to_utf8(letters);
  if (fold_case_) return named(lower(name));
  const Term* term = named(name);
  if (term != nullptr || !begins_sentence || !is_capital(letters.front())) return term;
  return named(lower(to_utf8(letters.substr(0, 1))) + to_utf8(letters.substr(1)));
}

std::vector<TermMatch> TermList::matches_in(std::string_view line) const {
  if (terms_.empty()) return {};
  const std::string words = spaced(line);
  const std::u32string letters = to_code_points(words);
  std::vector<text::WordClass> classes;
  for (const char32_t letter : letters) classes.push_back(text::word_class(letter));
  const std::vector<bool> begins = sentence_begins(words, classes);
  const auto edge = [&](size_t place) {
    return place == 0 || place == letters.size() || text::is_word_boundary(classes[place - 1], classes[place]);
  };
  std::vector<TermMatch> matches;
  for (size_t begin = 0; begin < letters.size();) {
    size_t next = begin + 1;
    for (size_t end = std::min(letters.size(), begin + longest_); edge(begin) && end > begin; --end) {
      const Term* term =
          edge(end) ? find(std::u32string_view(letters).substr(begin, end - begin), begins[begin]) : nullptr;
      if (term == nullptr) continue;
      TermMatch& match = matches.emplace_back(match_at(letters, begin, end));
      match.targets = term->targets;
      if (is_capital(letters[begin]) && !is_capital(term->source.front())) add_capitals(match.targets);
      next = end;
      break;
    }
    begin = next;
  }
  return matches;
}

}  // namespace heed::translation
