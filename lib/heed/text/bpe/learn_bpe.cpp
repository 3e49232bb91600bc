#include "heed/text/bpe/learn_bpe.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/text/bpe/bpe_tokenizer.h"
#include "heed/text/bpe/merged_words.h"
#include "heed/text/bpe/pair_statistics.h"
#include "heed/text/vocabulary.h"

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

WordCounts count_lines(const LineSource& lines) {
  WordCounts words;
  for (std::string line; lines(line);) words.add_line(line);
  if (words.size() == 0) throw Error("no tokenizer can be learned: the text is blank");
  return words;
}

BpeCodes codes_for(const BpeOptions& options, size_t side, const WordCounts& words) {
  if (options.codes.empty()) {
    return learn_bpe(words, {.symbols = options.merges.value_or(BpeOptions::kMerges),
                             .min_frequency = options.minimum_frequency.value_or(BpeOptions::kMinimumFrequency)});
  }
  const std::string& path = options.codes[std::min(side, options.codes.size() - 1)];
  BpeCodes codes = read_codes(path);
  if (codes.bytes) throw InputError(path, 1, "expected codes of characters, found codes of bytes");
  return codes;
}

/// Counts the units of all segmented words.
EntryCounter count_units(const BpeSegmenter& segmenter, const WordCounts& words) {
  EntryCounter counter;
  UnitList units;
  std::string entry;
  for (uint32_t i = 0; i < words.size(); ++i) {
    units.clear();
    segmenter.segment(words.word(i), units);
    for (size_t k = 0; k < units.size(); ++k) {
      entry = units[k];
      if (k + 1 < units.size()) entry += segmenter.separator();
      counter.add(entry, words.count(i));
    }
  }
  return counter;
}

/// Adds the units that dropout may give: the characters of the words and, with `merges`, the results of all merges.
void add_parts(const BpeCodes& codes, bool merges, const std::string& separator, const WordCounts& words,
               EntryCounter& counter) {
  for (uint32_t i = 0; i < words.size(); ++i) {
    const auto letters = characters(words.word(i));
    for (size_t k = 0; k < letters.size(); ++k) {
      counter.add(std::string(letters[k]).append(k + 1 < letters.size() ? separator : ""), 0);
    }
  }
  for (const Merge& merge : codes.merges) {
    if (!merges) break;
    std::string unit = merge.left + merge.right;
    if (unit.ends_with(kEndOfWord))
      unit.resize(unit.size() - kEndOfWord.size());
    else
      unit += separator;
    if (!unit.empty()) counter.add(unit, 0);
  }
}

std::vector<std::string> counted_entries(const BpeCodes& codes, const BpeOptions& options, const WordCounts& words) {
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  BpeSegmenterOptions how{.separator = options.separator, .glossaries = options.glossaries};
  EntryCounter counter = count_units(BpeSegmenter(codes, how), words);
  if (options.vocabulary_threshold > 1) {
    const auto frequent = counter.most_frequent(kAll, options.vocabulary_threshold);
    how.vocabulary = {frequent.begin(), frequent.end()};
    // No unit is frequent enough. An empty vocabulary would allow all units, so an entry that no text has is added.
    if (frequent.empty()) how.vocabulary.emplace();
    counter = count_units(BpeSegmenter(codes, how), words);
  }
  if (options.dropout > 0) add_parts(codes, options.vocabulary_threshold == 1, options.separator, words, counter);
  return counter.most_frequent(kAll, 0);
}

std::vector<std::string> read_entries(const std::string& path, int64_t threshold) {
  const WordCounts counts = read_dictionary(path, LineEnds::Unicode);
  std::vector<std::string> entries;
  for (uint32_t i = 0; i < counts.size(); ++i) {
    if (counts.count(i) >= threshold && !is_special(counts.word(i))) entries.emplace_back(counts.word(i));
  }
  if (entries.empty()) throw InputError(path, 0, "has no unit that is frequent enough");
  return entries;
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

std::shared_ptr<const Tokenizer> learn_bpe_tokenizer(const BpeOptions& options, size_t side, const LineSource& lines) {
  const bool needs_text = options.codes.empty() || options.vocabulary.empty();
  const WordCounts words = needs_text ? count_lines(lines) : WordCounts();
  BpeCodes codes = codes_for(options, side, words);
  std::vector<std::string> entries =
      options.vocabulary.empty() ? counted_entries(codes, options, words)
                                 : read_entries(options.vocabulary[std::min(side, options.vocabulary.size() - 1)],
                                                options.vocabulary_threshold);
  return std::make_shared<BpeTokenizer>(BpeTokenizer::Content{.codes = std::move(codes),
                                                              .separator = options.separator,
                                                              .glossaries = options.glossaries,
                                                              .entries = std::move(entries)});
}

}  // namespace heed::text
