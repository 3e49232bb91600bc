// Learns byte-pair encoding as subword-nmt's learn-bpe does, merge for merge.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heed/core/options.h"
#include "heed/text/bpe/bpe_codes.h"
#include "heed/text/bpe/words/word_counts.h"

namespace heed::text {

struct LearnBpeOptions {
  int64_t symbols = 10000;     ///< merges to learn, at most
  int64_t min_frequency = 2;   ///< no merge of a pair that is rarer
  bool total_symbols = false;  ///< `symbols` counts the text's characters too
  bool bytes = false;          ///< words are bytes, not characters
  bool verbose = false;        ///< note each merge
  bool operator==(const LearnBpeOptions&) const = default;
};

/// Each merge joins the pair of symbols that is now the most frequent one within words; among equally frequent ones the
/// greatest by code points. `note` gets the lines that subword-nmt reports while it learns, `progress` after each merge
/// how many there are and may be. Throws Error for a text without any pair.
BpeCodes learn_bpe(const WordCounts& words, const LearnBpeOptions& options,
                   const std::function<void(const std::string& line)>& note = {},
                   const std::function<void(int64_t merges, int64_t limit)>& progress = {});

}  // namespace heed::text
