// Which source words belong to which target words: weights between words, merged from those between a model's tokens
// (a word's pieces on the source side are added up, as they share the attention; on the target side each piece has its
// own distribution, and their mean stands for the word), and the links that follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

using AlignmentWeights = std::vector<std::vector<float>>;        ///< [target][source]
using HeadWeights = std::vector<std::vector<AlignmentWeights>>;  ///< [layer][head]

/// (source, target), both counted from 0.
using Link = std::pair<int64_t, int64_t>;

struct Alignment {
  std::vector<std::string> source;  ///< words, or tokens where they are not merged
  std::vector<std::string> target;
  /// The attention that each target word pays to each source word. What falls on the end-of-sentence mark is left out,
  /// so a row sums to at most 1. A row for each target word, even where there is no source.
  AlignmentWeights weights;
  HeadWeights heads = {};  ///< the same of every head, if asked for

  /// The source word that each target word looks at most or, with a threshold, every pair of at least that weight.
  /// Sorted by source, then target.
  std::vector<Link> links(std::optional<double> threshold = {}) const;
};

/// What the tokens of a line become in an alignment: words, or themselves.
struct AlignmentUnits {
  std::vector<std::string> names;
  std::vector<int64_t> of_token;  ///< for each token the index of its name; -1: none

  /// Puts the units of the text behind. Without a space between, its first unit goes on the last one here.
  void append(const AlignmentUnits& next, bool space_between);
};

/// The words of a line as they are written, for the ids of encode(line).
AlignmentUnits line_units(const Tokenizer& tokenizer, std::string_view line);
/// The words of decode(ids).
AlignmentUnits word_units(const Tokenizer& tokenizer, std::span<const int32_t> ids);
/// Each token for itself.
AlignmentUnits token_units(const Tokenizer& tokenizer, std::span<const int32_t> ids);

/// Weights between units of weights between tokens, which may have more rows and columns than there are tokens (the
/// end-of-sentence marks): those are left out.
AlignmentWeights merged(const AlignmentWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target);
/// The same of target tokens alone: the columns stay as they are.
AlignmentWeights merged_rows(const AlignmentWeights& tokens, const AlignmentUnits& target);
/// The same of every head.
HeadWeights merged_heads(const HeadWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target);

}  // namespace heed::text
