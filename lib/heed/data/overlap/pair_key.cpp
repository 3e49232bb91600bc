#include "heed/data/overlap/pair_key.h"

#include "heed/core/text/unicode.h"
#include "heed/text/bpe/words/string_hash.h"

namespace heed::data {

bool is_compared(const TextPair& pair, bool has_source) {
  return !pair.bad && pair.weight > 0 && !strip(pair.target).empty() && (!has_source || !strip(pair.source).empty());
}

uint64_t source_key(const TextPair& pair) { return text::long_string_hash(strip(pair.source)); }

uint64_t pair_key(const TextPair& pair) {
  // The sides have different multipliers, so that a pair with exchanged sides has another key.
  constexpr uint64_t kSource = 0xA0761D6478BD642FU, kTarget = 0xE7037ED1A0B428DBU;
  return text::hash_detail::mixed(source_key(pair) ^ kSource, text::long_string_hash(strip(pair.target)) ^ kTarget);
}

}  // namespace heed::data
