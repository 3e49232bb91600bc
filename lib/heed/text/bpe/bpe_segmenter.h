// Applies byte-pair encoding to words, like subword-nmt's apply-bpe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "heed/text/bpe/bpe_codes.h"
#include "heed/text/bpe/glossaries.h"
#include "heed/text/bpe/merge_table.h"
#include "heed/text/bpe/words/string_table.h"
#include "heed/text/bpe/words/unit_list.h"

namespace heed::text {

/// The units that a segmentation may have. A unit ends in the separator if another unit of its word follows.
using BpeVocabulary = std::unordered_set<std::string>;

/// Reads a vocabulary file with lines `unit count`. Keeps the units whose count is at least `threshold`. Throws
/// FileError, InputError.
BpeVocabulary read_bpe_vocabulary(const std::string& path, std::optional<int64_t> threshold);

struct BpeSegmenterOptions {
  std::string separator = "@@";           ///< suffix of a unit that is not the last of its word
  std::vector<std::string> glossaries{};  ///< regular expressions for parts of words that are never split
  BpeVocabulary vocabulary{};             ///< merges that give other units are undone; empty: all units are allowed
};

/// Uniform numbers in [0, 1).
using UniformSource = std::function<double()>;

/// BPE-dropout (Provilkov et al. 2020, https://arxiv.org/abs/1910.13267).
struct Dropout {
  double probability = 0;        ///< of skipping a possible merge
  const UniformSource& uniform;  ///< called once for each pair of neighbors in each round
};

/// Immutable after construction; thread-safe.
class BpeSegmenter {
 public:
  BpeSegmenter(const BpeCodes& codes, BpeSegmenterOptions options);

  /// Appends the units of one word, without separators. Without dropout the cost is O(n log n) in the length of the
  /// word.
  void segment(std::string_view word, UnitList& units) const;
  /// The same with dropout: every call may segment the word differently.
  void segment(std::string_view word, const Dropout& dropout, UnitList& units) const;
  const std::string& separator() const { return options_.separator; }
  bool bytes() const { return bytes_; }

 private:
  void segment(std::string_view word, const Dropout* dropout, UnitList& units) const;
  void encode(std::string_view part, const Dropout* dropout, UnitList& units) const;
  uint32_t symbol_of(std::string_view character, bool final) const;
  size_t fill_symbols(std::string_view part, Symbol* symbols) const;
  /// Like merge_word(), but skips merges with the dropout's probability.
  size_t merge_some(Symbols symbols, const Dropout& dropout) const;
  bool known(std::string_view unit, bool final) const;
  void add_known(std::string_view unit, bool final, UnitList& units) const;
  void split(std::string_view unit, bool final, UnitList& units) const;

  BpeSegmenterOptions options_;
  BpeCodes::Version version_;
  bool bytes_;
  Glossaries glossaries_;
  StringTable symbols_;
  MergeTable merges_;
  std::array<uint32_t, 256> short_symbols_{};  // symbols of ASCII characters: within a word, and (from 128 on) at its
                                               // end
  std::vector<uint32_t> made_by_;              // for each symbol the merge to undo when it is split, or
                                               // MergeTable::kNone
};

}  // namespace heed::text
