#include "heed/curation/duplicates/min_hash.h"

#include <algorithm>
#include <limits>
#include <string>

#include "heed/text/bpe/words/string_hash.h"

namespace heed::curation {
namespace {

constexpr size_t kShingle = 5;

/// Multiplier of the i-th hash function; odd.
constexpr uint64_t multiplier(size_t i) {
  uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  return (x ^ (x >> 27U)) | 1U;
}
constexpr auto kMultipliers = [] {
  std::array<uint64_t, kSketch> all{};
  for (size_t i = 0; i < kSketch; ++i) all[i] = multiplier(i);
  return all;
}();

void append_words(const SideText& side, std::u32string& text) {
  for (const std::u32string_view word : side.words()) {
    if (word.find_first_not_of(U"0123456789") == std::u32string_view::npos) {
      text += U'0';
    } else {
      text += word;
    }
    text += U' ';
  }
  text += U'\n';
}

}  // namespace

double Sketch::similarity(const std::array<uint8_t, kSketch>& other) const {
  size_t equal = 0;
  for (size_t i = 0; i < kSketch; ++i) equal += values[i] == other[i];
  constexpr double kByChance = 1.0 / 256;
  return std::max(0.0, (static_cast<double>(equal) / kSketch - kByChance) / (1 - kByChance));
}

Sketch sketch_of(const SideText& source, const SideText& target) {
  std::u32string text;
  append_words(source, text);
  append_words(target, text);
  Sketch sketch;
  std::array<uint64_t, kSketch> least;
  least.fill(std::numeric_limits<uint64_t>::max());
  const std::u32string_view all = text;
  sketch.empty = all.size() <= 2;
  for (size_t i = 0; i == 0 || i + kShingle <= all.size(); ++i) {
    const uint64_t shingle = hash_of(all.substr(i, kShingle));
    for (size_t k = 0; k < kSketch; ++k)
      least[k] = std::min(least[k], (shingle ^ (shingle >> 32U)) * kMultipliers[k] + (kMultipliers[k] >> 7U));
  }
  for (size_t k = 0; k < kSketch; ++k) sketch.values[k] = static_cast<uint8_t>(least[k] >> 24U);
  for (size_t band = 0; band < kBands; ++band) {
    uint64_t key = band + 1;
    for (size_t k = band * kRowsOfBand; k < (band + 1) * kRowsOfBand; ++k) {
      key = text::hash_detail::mixed(key ^ least[k], 0x9E3779B97F4A7C15U);
    }
    sketch.bands[band] = key;
  }
  return sketch;
}

}  // namespace heed::curation
