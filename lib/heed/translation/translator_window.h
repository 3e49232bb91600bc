// How a Translator translates lines, between its files: lines in parts, and what is searched for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "heed/search/beam_model.h"
#include "heed/search/search_continuously.h"
#include "heed/search/sentence_constraints.h"
#include "heed/translation/lines/assemble.h"
#include "heed/translation/lines/protected_lines.h"
#include "heed/translation/translator.h"

namespace heed::translation {

/// The batch size of a worker.
search::Room room_of(const TranslatorOptions& options, bool on_gpu);

/// The parts of a window of lines: line i has parts [begins[i], begins[i + 1]).
struct Translator::Window {
  MaskedLines masks = {};  // of a model that reads placeholders
  std::vector<TranslatedPart> parts = {};
  std::vector<size_t> begins{0};
  std::vector<uint64_t> random_keys = {};  // of the parts; they depend only on the line's number in the input

  std::span<const TranslatedPart> of_line(size_t line) const {
    return std::span(parts).subspan(begins[line], begins[line + 1] - begins[line]);
  }
  search::SourceSentence source(size_t i) const {
    const TranslatedPart& part = parts[i];
    return {static_cast<int64_t>(i), part.part.ids, part.item.get(), part.constraints.get(), random_keys[i]};
  }
  bool starts_line(size_t part) const { return std::ranges::binary_search(begins, part); }
  /// With end-of-sentence.
  int64_t source_tokens(size_t part) const {
    return std::ssize(parts[part].part.ids) + (parts[part].item ? parts[part].item->positions : 0) + 1;
  }
  int64_t target_tokens(size_t part) const { return std::ssize(parts[part].hypotheses.front().ids) + 1; }
  int64_t blank_lines() const {
    int64_t blank = 0;
    for (size_t i = 1; i < begins.size(); ++i) blank += begins[i] == begins[i - 1];
    return blank;
  }
};

struct Translator::PartSearch {
  size_t part;
  const search::SentenceConstraints* constraints;  // null: none
};

/// The first search for each part of a window, which must outlive it.
struct Translator::FirstSearches {
  std::vector<PartSearch> searches = {};
  std::vector<search::SentenceConstraints> noted = {};  // constraints that are not enforced
};

/// The searches for a part whose translation lacked terms.
struct Translator::TermSearches {
  std::vector<search::SentenceConstraints> constraints = {};  // one per search; empty: the part lacks no terms
  size_t done = 0;
  std::vector<search::Hypothesis> found = {};
};

}  // namespace heed::translation
