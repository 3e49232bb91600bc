// Word alignments: which source words belong to which target words. They are made of a model's attention weights
// between tokens. The weights of a source word's subwords are added, as these share one distribution. A target word has
// the mean over its subwords, as each of them has its own distribution. Links between words are taken from the merged
// weights.
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

/// (source, target), both 0-based.
using Link = std::pair<int64_t, int64_t>;

struct Alignment {
  std::vector<std::string> source;  ///< words, or tokens if they are not merged
  std::vector<std::string> target;
  /// The attention of each target word (row) to each source word. Attention to end-of-sentence is left out, so a row
  /// sums to at most 1. Every target word has a row, even if there is no source.
  AlignmentWeights weights;
  HeadWeights heads = {};  ///< the same for each head, if requested

  /// Links each target word to the source word with the highest weight. With a threshold, it links every pair whose
  /// weight is at least the threshold. Sorted by source, then target.
  std::vector<Link> links(std::optional<double> threshold = {}) const;
};

/// The units that an alignment shows for the tokens of a line: words, or the tokens themselves.
struct AlignmentUnits {
  std::vector<std::string> names;
  std::vector<int64_t> of_token;  ///< for each token the index of its unit; -1: none

  /// Appends the units of text that follows. If there is no space between, its first unit is joined with the last unit
  /// here.
  void append(const AlignmentUnits& next, bool space_between);
};

/// The words of a line as written, for the ids of encode(line).
AlignmentUnits line_units(const Tokenizer& tokenizer, std::string_view line);
/// The words of decode(ids).
AlignmentUnits word_units(const Tokenizer& tokenizer, std::span<const int32_t> ids);
/// Each token as its own unit.
AlignmentUnits token_units(const Tokenizer& tokenizer, std::span<const int32_t> ids);

/// Merges weights between tokens into weights between units. Rows and columns after the last token (end-of-sentence)
/// are left out.
AlignmentWeights merged(const AlignmentWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target);
/// The same for target tokens only; the columns are unchanged.
AlignmentWeights merged_rows(const AlignmentWeights& tokens, const AlignmentUnits& target);
/// The same for each head.
HeadWeights merged_heads(const HeadWeights& tokens, const AlignmentUnits& source, const AlignmentUnits& target);

}  // namespace heed::text
