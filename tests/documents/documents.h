// What the tests of documents share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "heed/core/text/unicode.h"
#include "heed/documents/formats.h"

namespace heed::documents {

/// A model that translates words one by one. Words that it does not know stay as they are.
using TranslateText = std::function<SegmentTranslation(const std::string& text)>;

inline std::string translated(DocumentFormat format, const std::string& bytes, const TranslateText& translate,
                              const DocumentOptions& options = {}) {
  const auto document = read_document(format, bytes, "file", options);
  std::vector<SegmentTranslation> translations;
  for (const Segment& segment : document->segments()) translations.push_back(translate(segment.text));
  return document->translated(translations);
}

inline std::vector<std::string> texts_of(DocumentFormat format, const std::string& bytes) {
  std::vector<std::string> texts;
  const auto document = read_document(format, bytes, "file");
  for (const Segment& segment : document->segments()) texts.push_back(segment.text);
  return texts;
}

inline SegmentTranslation copied(const std::string& text) { return {.text = text}; }

/// Upper case, words in the same order.
inline SegmentTranslation shouted(const std::string& text) {
  std::string upper = text;
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return {.text = upper};
}

/// A translation with the source word of each of its words.
inline SegmentTranslation aligned(const std::string& source, const std::string& target,
                                  const std::vector<size_t>& source_words) {
  SegmentTranslation translation{.text = target};
  for (const auto word : split_whitespace(source)) translation.alignment.source.emplace_back(word);
  for (const auto word : split_whitespace(target)) translation.alignment.target.emplace_back(word);
  for (const size_t word : source_words) {
    translation.alignment.weights.emplace_back(translation.alignment.source.size(), 0.0F)[word] = 1;
  }
  return translation;
}

/// Upper case, words in reverse order.
inline SegmentTranslation reversed(const std::string& text) {
  const SegmentTranslation upper = shouted(text);
  const auto words = split_whitespace(upper.text);
  std::string target;
  std::vector<size_t> sources;
  for (size_t i = words.size(); i-- > 0;) {
    target += (target.empty() ? "" : " ") + std::string(words[i]);
    sources.push_back(i);
  }
  return aligned(text, target, sources);
}

}  // namespace heed::documents
