// Nearest words: the words whose vectors have the highest cosine with a vector.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heed/vectors/word_vectors.h"

namespace heed::vectors {

struct Neighbor {
  std::string word;
  double cosine;  ///< of the angle between the vectors, in [-1, 1]
};

/// The `count` words whose vectors have the highest cosine with `query`, highest first, ties in the order of the table.
/// Words in `except` (indices) and words with a zero vector are left out.
std::vector<Neighbor> nearest(const WordVectors& vectors, std::span<const float> query, int64_t count,
                              const std::vector<int64_t>& except = {});

/// b - a + c of unit vectors: the word that is to c as b is to a (Mikolov et al. 2013,
/// https://aclanthology.org/N13-1090).
std::vector<float> analogy(const WordVectors& vectors, int64_t a, int64_t b, int64_t c);

}  // namespace heed::vectors
