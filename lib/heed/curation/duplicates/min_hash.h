// Sketches of texts by which nearly equal texts are found (MinHash: Broder 1997, "On the resemblance and containment of
// documents"). The share of equal values of two sketches estimates the Jaccard similarity of the texts' sets of
// character 5-grams. Groups of values that are equal as a whole (bands) find the candidates.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "heed/curation/checks/side_text.h"

namespace heed::curation {

inline constexpr size_t kBands = 12;
inline constexpr size_t kRowsOfBand = 5;
inline constexpr size_t kSketch = kBands * kRowsOfBand;

struct Sketch {
  std::array<uint8_t, kSketch> values{};  ///< one byte of each minimum
  std::array<uint64_t, kBands> bands{};   ///< a key of each band, different for different bands
  bool empty = true;                      ///< the text has no letters or digits

  /// Estimates the similarity of the texts, 0 to 1. Equal bytes of different values are allowed for.
  double similarity(const std::array<uint8_t, kSketch>& other) const;
};

/// Only letters count, in lower case, with one space between words; a number counts as one digit. So texts that differ
/// in numbers and punctuation only are nearly equal.
Sketch sketch_of(const SideText& source, const SideText& target);

}  // namespace heed::curation
