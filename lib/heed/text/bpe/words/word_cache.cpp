#include "heed/text/bpe/words/word_cache.h"

namespace heed::text {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20U;
constexpr size_t kMostShortWords = kMostBytes / 128;

}  // namespace

bool WordCache::append_long(std::string_view word, TextBuffer& out) const {
  const uint32_t number = long_.find(word);
  if (number == StringTable::kNone) return false;
  out.append(std::string_view(results_).substr(ends_[number], ends_[number + 1] - ends_[number]));
  return true;
}

void WordCache::keep(const PlainWord& word, std::string_view result) {
  ShortResult short_result{};
  if (word.text.size() + result.size() > kMostBytes) return;
  forget_if_large();
  if (!word.key.empty() && result.size() <= short_result.bytes.size()) {
    result.copy(short_result.bytes.data(), result.size());
    short_result.size = static_cast<uint8_t>(result.size());
    short_.add(word.key, short_result);
  } else {
    long_.add(word.text);
    results_ += result;
    ends_.push_back(results_.size());
  }
}

void WordCache::forget_if_large() {
  if (results_.size() + long_.bytes() <= kMostBytes && short_.size() < kMostShortWords) return;
  short_.clear();
  long_.clear();
  results_.clear();
  ends_.assign(1, 0);
}

}  // namespace heed::text
