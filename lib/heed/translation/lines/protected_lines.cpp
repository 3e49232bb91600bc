#include "heed/translation/lines/protected_lines.h"

#include <utility>

#include "heed/core/text/unicode.h"
#include "heed/documents/protected_line.h"

namespace heed::translation {
namespace {

template <class Change>
void for_each_translation(Translation& best, const Change& change) {
  change(best);
  for (Translation& other : best.others) change(other);
}

}  // namespace

text::AlignmentUnits unmasked(const text::AlignmentUnits& words, const text::Placeholders::Originals& originals,
                              text::Placeholders::Counts* left) {
  text::AlignmentUnits whole;
  std::vector<int64_t> places;  // of each word
  for (const std::string& name : words.names) {
    const std::string text = text::Placeholders::unmasked(name, originals, left);
    const auto parts = split_whitespace(text);
    places.push_back(parts.empty() ? -1 : std::ssize(whole.names));
    whole.names.insert(whole.names.end(), parts.begin(), parts.end());
  }
  for (const int64_t unit : words.of_token) {
    whole.of_token.push_back(unit < 0 ? unit : places[static_cast<size_t>(unit)]);
  }
  return whole;
}

MaskedLines masked(std::span<const SourceLine> lines, const text::Placeholders& placeholders) {
  MaskedLines all;
  for (const SourceLine& line : lines) {
    text::Placeholders::Line read = placeholders.masked(line.text);
    all.lines.push_back({.text = std::move(read.text),
                         .item = line.item,
                         .prefix = placeholders.masked_with(line.prefix, read.originals)});
    all.originals.push_back(std::move(read.originals));
  }
  return all;
}

void MaskedLines::unmask(size_t i, Translation& best) const {
  const text::Placeholders::Counts counts = text::Placeholders::counts(lines[i].text);
  for_each_translation(best, [&](Translation& translation) {
    text::Placeholders::Counts in_text = counts, in_words = counts;
    translation.text = text::Placeholders::unmasked(translation.text, originals[i], &in_text);
    translation.source_words = unmasked(translation.source_words, originals[i]);
    translation.target_words = unmasked(translation.target_words, originals[i], &in_words);
  });
}

void restore(Translation& best, const std::string& line, const text::ProtectedText& rules) {
  if (rules.find(line).empty()) return;
  for_each_translation(best, [&](Translation& translation) {
    translation.text = documents::with_protected_text(
        line, {.text = translation.text, .alignment = word_alignment(translation)}, rules);
  });
}

}  // namespace heed::translation
