#include "heed/data/overlap/validation_pairs.h"

#include "heed/data/overlap/pair_key.h"

namespace heed::data {

void LinesByKey::add(uint64_t key, int64_t line) {
  Lines& lines = keys_.try_emplace(key, Lines{.first = line}).first->second;
  ++lines.count;
}

std::optional<int64_t> LinesByKey::first(uint64_t key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? std::nullopt : std::optional(found->second.first);
}

void LinesByKey::mark(uint64_t key) {
  const auto found = keys_.find(key);
  if (found == keys_.end() || found->second.marked) return;
  found->second.marked = true;
  marked_ += found->second.count;
}

ValidationPairs::ValidationPairs(const CorpusFiles& files, const TextFormat& format, const std::string& prefix)
    : has_source_(files.has_source()) {
  PairReader reader(files, format);
  for (TextPair pair; reader.next(pair);) {
    if (!is_compared(pair, has_source_)) continue;
    const int64_t line = reader.pairs() - 1;
    pairs_.add(pair_key(pair), line);
    if (has_source_) sources_.add(source_key(pair), line);
    ++size_;
  }
  places_ = reader.places();
  reader.log_advice(prefix);
}

std::optional<std::string> ValidationPairs::place_of(const TextPair& pair) const {
  if (!is_compared(pair, has_source_)) return {};
  const auto line = pairs_.first(pair_key(pair));
  return line ? std::optional(places_.of(*line)) : std::nullopt;
}

bool ValidationPairs::mark(const TextPair& pair) {
  if (has_source_) sources_.mark(source_key(pair));
  const uint64_t key = pair_key(pair);
  pairs_.mark(key);
  return pairs_.first(key).has_value();
}

}  // namespace heed::data
