#include "heed/data/overlap/text_overlap.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/data/overlap/pair_key.h"
#include "heed/data/overlap/repeated_lines.h"
#include "heed/data/overlap/validation_pairs.h"

namespace heed::data {
namespace {

constexpr size_t kExamples = 3;

class DuplicateFinder {
 public:
  DuplicateFinder(const std::string& scratch, DuplicateUse use) : lines_(std::in_place, scratch), use_(use) {}

  void add(uint64_t key, int64_t line) {
    attempt([&] { lines_->add(key, line); });
  }
  /// Takes the duplicates among the lines that were added.
  void take(const LineLocations& places, TextOverlap& overlap) {
    int64_t count = 0;
    std::vector<std::pair<int64_t, int64_t>> examples;  // the first ones: a line, and that which it repeats
    attempt([&] {
      lines_->find([&](int64_t first, int64_t line) {
        ++count;
        overlap.duplicates.add(line);
        examples.insert(std::ranges::upper_bound(examples, std::pair(line, first)), {line, first});
        if (examples.size() > kExamples) examples.pop_back();
      });
    });
    if (!lines_) {
      overlap.counts.duplicates.reset();
      overlap.duplicates = {};
      return;
    }
    overlap.counts.duplicates = count;
    for (const auto& [line, first] : examples) {
      overlap.counts.duplicate_examples.push_back(fmt::format("{} repeats {}", places.of(line), places.of(first)));
    }
  }

 private:
  /// Does `work`, unless it failed before.
  template <class Work>
  void attempt(const Work& work) {
    if (!lines_) return;
    try {
      work();
    } catch (const FileError& error) {
      if (use_ == DuplicateUse::LeaveOut) throw;
      log_warning(fmt::format("{}: repeated pairs of the training text are not counted", error.what()));
      lines_.reset();
    }
  }

  std::optional<RepeatedLines> lines_;  // none: the disk was too full
  DuplicateUse use_;
};

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

void log_leaks(const OverlapCounts& counts, const std::string& name, const char* unit, FilterAction action,
               bool running) {
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
  log_warning(fmt::format("{}; scores on them do not show how the model does on new text{}", text,
                          running ? "" : ": `--data.leaking leave-out` trains without them"));
}

/// count: counts.duplicates.
void log_duplicates(const OverlapCounts& counts, int64_t count, const std::string& name, const char* unit,
                    FilterAction action, bool running) {
  const std::string text =
      fmt::format("{}: {} of {} {}s {} an earlier one{}", name, format_count(count), format_count(counts.pairs), unit,
                  count == 1 ? "repeats" : "repeat", in_brackets(counts.duplicate_examples, count));
  if (action == FilterAction::LeaveOut) return log_info(text + "; these are left out of the training");
  if (running) return log_info(text);
  constexpr int64_t kFew = 10;  // at most one of ten pairs
  const std::string advice = text + ": `--data.duplicates leave-out` trains on each once";
  count* kFew > counts.pairs ? log_warning(advice) : log_info(advice);
}

}  // namespace

TextOverlap find_overlap(const ComparedTexts& texts, const std::string& scratch, DuplicateUse use) {
  const std::string prefix = "data.";
  TextOverlap overlap;
  std::optional<ValidationPairs> valid;
  PairReader reader(texts.train, texts.format);
  if (texts.valid) valid.emplace(*texts.valid, texts.format, prefix);
  DuplicateFinder duplicates(scratch, use);
  const bool compares = !texts.train.has_vectors();
  for (TextPair pair; reader.next(pair);) {
    if (!compares || !is_compared(pair, texts.train.has_source())) continue;
    duplicates.add(pair_key(pair), reader.pairs() - 1);
    if (valid) take_leak(pair, reader, *valid, overlap);
  }
  reader.log_advice(prefix);
  overlap.counts.pairs = reader.pairs();
  duplicates.take(reader.places(), overlap);
  if (!valid || !compares) return overlap;
  overlap.counts.valid_pairs = valid->size();
  overlap.counts.valid_found = valid->found_pairs();
  overlap.counts.valid_sources_found = valid->found_sources();
  return overlap;
}

void log_overlap(const OverlapCounts& counts, const CorpusFiles& files, const PairFilters& filters, bool running) {
  const char* unit = files.has_source() ? "pair" : "line";
  const std::string name = names_of(files);
  if (counts.valid_found + counts.valid_sources_found > 0) log_leaks(counts, name, unit, filters.leaking, running);
  if (const int64_t count = counts.duplicates.value_or(0); count > 0) {
    log_duplicates(counts, count, name, unit, filters.duplicates, running);
  }
}

}  // namespace heed::data
