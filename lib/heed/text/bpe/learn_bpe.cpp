#include "heed/text/bpe/learn_bpe.h"

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/text/bpe/merged_words.h"
#include "heed/text/bpe/pair_statistics.h"

namespace heed::text {
namespace {

int64_t merges_beside_characters(const MergedWords& words, int64_t symbols,
                                 const std::function<void(const std::string&)>& note) {
  const auto [internal, final] = words.characters();
  note(fmt::format("Number of word-internal characters: {}", internal));
  note(fmt::format("Number of word-final characters: {}", final));
  note(fmt::format("Reducing number of merge operations by {}", internal + final));
  return symbols - internal - final;
}

}  // namespace

BpeCodes learn_bpe(const WordCounts& counts, const LearnBpeOptions& options,
                   const std::function<void(const std::string&)>& note,
                   const std::function<void(int64_t, int64_t)>& progress) {
  const auto report = [&](const std::string& line) {
    if (note) note(line);
  };
  BpeCodes codes{.version = BpeCodes::Version::V02, .bytes = options.bytes, .merges = {}};
  MergedWords words(counts, options.bytes);
  const int64_t limit =
      options.total_symbols ? merges_beside_characters(words, options.symbols, report) : options.symbols;
  if (words.pairs().size() == 0) throw Error("no merge can be learned: no word of the text has two characters");
  PairStatistics statistics(words.symbols(), words.pairs());
  words.count(statistics);
  statistics.begin();
  for (int64_t i = 0; i < limit; ++i) {
    const uint32_t pair = statistics.best(i);
    const int64_t frequency = statistics.frequency(pair);
    if (frequency < options.min_frequency) {
      report(fmt::format("no pair has frequency >= {}. Stopping", options.min_frequency));
      break;
    }
    const auto [left, right] = words.pairs()[pair];
    const Merge& merge =
        codes.merges.emplace_back(Merge{std::string(words.symbols()[left]), std::string(words.symbols()[right])});
    if (options.verbose) {
      report(fmt::format("pair {}: {} {} -> {}{} (frequency {})", i, merge.left, merge.right, merge.left, merge.right,
                         frequency));
    }
    words.merge(pair, statistics);
    statistics.end_merge(i);
    if (progress) progress(i + 1, limit);
  }
  return codes;
}

}  // namespace heed::text
