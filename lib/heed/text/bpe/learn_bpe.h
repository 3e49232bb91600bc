// Learns the same merges of byte-pair encoding as subword-nmt's learn-bpe, in the same order, and tokenizers with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "heed/core/options.h"
#include "heed/text/bpe/bpe_codes.h"
#include "heed/text/bpe/words/word_counts.h"
#include "heed/text/tokenizer.h"
#include "heed/text/tokenizer_options.h"

namespace heed::text {

struct LearnBpeOptions {
  int64_t symbols = 10000;     ///< maximum number of merges to learn
  int64_t min_frequency = 2;   ///< pairs that are rarer are not merged
  bool total_symbols = false;  ///< `symbols` includes the text's characters
  bool bytes = false;          ///< the initial symbols are bytes, not characters
  bool verbose = false;        ///< report each merge
  bool operator==(const LearnBpeOptions&) const = default;
};

/// Each merge joins the pair of symbols that is most frequent within words. Ties go to the greatest pair by code
/// points. `note` gets the lines that subword-nmt prints while it learns. `progress` is called after each merge with
/// the number of merges and their limit. Throws Error if the text has no pair.
BpeCodes learn_bpe(const WordCounts& words, const LearnBpeOptions& options,
                   const std::function<void(const std::string& line)>& note = {},
                   const std::function<void(int64_t merges, int64_t limit)>& progress = {});

/// Learns codes and vocabulary from lines, or reads them from files. `side` selects the file of options.codes and
/// options.vocabulary if they have several. With dropout every character and every merge has an entry, so that every
/// unit sampled in training is known. Throws Error for a text without words or pairs; FileError, InputError and
/// ConfigError for files; and what `lines` throws.
std::shared_ptr<const Tokenizer> learn_bpe_tokenizer(const BpeOptions& options, size_t side, const LineSource& lines);

}  // namespace heed::text
