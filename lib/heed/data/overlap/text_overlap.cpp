#include "heed/data/overlap/text_overlap.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/data/overlap/pair_key.h"
#include "heed/data/overlap/repeated_lines.h"
#include "heed/data/overlap/validation_pairs.h"

namespace heed::data {
namespace {

constexpr size_t kExamples = 3;

/// Finds the duplicates among lines whose keys were added.
void take_duplicates(RepeatedLines& lines, const LinePlaces& places, TextOverlap& overlap) {
  std::vector<std::pair<int64_t, int64_t>> examples;  // the first ones: a line, and that which it repeats
  lines.find([&](int64_t first, int64_t line) {
    ++overlap.counts.duplicates;
    overlap.duplicates.add(line);
    examples.insert(std::ranges::upper_bound(examples, std::pair(line, first)), {line, first});
    if (examples.size() > kExamples) examples.pop_back();
  });
  for (const auto& [line, first] : examples) {
    overlap.counts.duplicate_examples.push_back(fmt::format("{} repeats {}", places.of(line), places.of(first)));
  }
}

/// Compares a pair with the validation text.
void take_leak(const TextPair& pair, const PairReader& reader, ValidationPairs& valid, TextOverlap& overlap) {
  if (!valid.mark(pair)) return;
  const int64_t line = reader.pairs() - 1;
  ++overlap.counts.leaking;
  overlap.leaking.add(line);
  std::vector<std::string>& examples = overlap.counts.leaking_examples;
  if (examples.size() == kExamples) return;
  examples.push_back(fmt::format("{} is {}", reader.places().of(line), valid.place_of(pair).value_or("")));
}

/// " (train.tsv:7 repeats train.tsv:2, ...)".
std::string in_brackets(const std::vector<std::string>& examples, int64_t count) {
  if (examples.empty()) return {};
  return fmt::format(" ({}{})", fmt::join(examples, ", "), count > std::ssize(examples) ? ", ..." : "");
}

void log_leaks(const OverlapCounts& counts, const std::string& name, const char* unit, FilterAction action) {
  std::string text =
      fmt::format("{}: {} of {} validation {}s {} in the training text", name, format_count(counts.valid_found),
                  format_count(counts.valid_pairs), unit, counts.valid_found == 1 ? "is" : "are");
  text += in_brackets(counts.leaking_examples, counts.leaking);
  if (counts.valid_sources_found > counts.valid_found) {
    text += fmt::format(", and the sources of {} more", format_count(counts.valid_sources_found - counts.valid_found));
  }
  if (counts.valid_found == 0) return log_info(text);
  if (action == FilterAction::LeaveOut) {
    return log_info(fmt::format("{}; left out of the training: {}", text, counted(counts.leaking, unit)));
  }
  log_warning(text +
              "; scores on them do not show how the model does on new text: `--data.leaking leave-out` trains "
              "without them");
}

void log_duplicates(const OverlapCounts& counts, const std::string& name, const char* unit, FilterAction action) {
  const std::string text = fmt::format("{}: {} of {} {}s {} an earlier one{}", name, format_count(counts.duplicates),
                                       format_count(counts.pairs), unit, counts.duplicates == 1 ? "repeats" : "repeat",
                                       in_brackets(counts.duplicate_examples, counts.duplicates));
  if (action == FilterAction::LeaveOut) return log_info(text + "; these are left out of the training");
  constexpr int64_t kFew = 10;  // at most one of ten pairs
  const std::string advice = text + ": `--data.duplicates leave-out` trains on each once";
  counts.duplicates* kFew > counts.pairs ? log_warning(advice) : log_info(advice);
}

}  // namespace

TextOverlap find_overlap(const ComparedTexts& texts, const std::string& scratch) {
  const std::string prefix = "data.";
  TextOverlap overlap;
  std::optional<ValidationPairs> valid;
  PairReader reader(texts.train, texts.format);
  if (texts.valid) valid.emplace(*texts.valid, texts.format, prefix);
  RepeatedLines lines(scratch);
  const bool compares = !texts.train.has_vectors();
  for (TextPair pair; reader.next(pair);) {
    if (!compares || !is_compared(pair, texts.train.has_source())) continue;
    lines.add(pair_key(pair), reader.pairs() - 1);
    if (valid) take_leak(pair, reader, *valid, overlap);
  }
  reader.log_advice(prefix);
  overlap.counts.pairs = reader.pairs();
  take_duplicates(lines, reader.places(), overlap);
  if (!valid || !compares) return overlap;
  overlap.counts.valid_pairs = valid->size();
  overlap.counts.valid_found = valid->found_pairs();
  overlap.counts.valid_sources_found = valid->found_sources();
  return overlap;
}

void log_overlap(const OverlapCounts& counts, const CorpusFiles& files, const PairFilters& filters) {
  const char* unit = files.has_source() ? "pair" : "line";
  const std::string name = names_of(files);
  if (counts.valid_found + counts.valid_sources_found > 0) log_leaks(counts, name, unit, filters.leaking);
  if (counts.duplicates > 0) log_duplicates(counts, name, unit, filters.duplicates);
}

}  // namespace heed::data
