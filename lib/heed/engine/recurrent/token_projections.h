// A cache of the projected inputs W x + b of a decoder's first cell, by word. Most words occur repeatedly, and their
// projection is always the same. The size of the cache is limited.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/common/embedding.h"
#include "heed/engine/recurrent/cell.h"

namespace heed::engine {

/// For use by one thread.
class TokenProjections {
 public:
  /// Both must outlive it. room: the least number of words to cache; 0: as many as fit into 32 MiB.
  TokenProjections(const RecurrentCell& cell, const EmbeddingTable& embedding, int64_t room = 0);

  /// The row of RecurrentCell::project for each token; valid until the next call.
  void look_up(std::span<const int32_t> tokens, RecurrentCell::Scratch& scratch, std::vector<const float*>& rows);

 private:
  void take_missing(std::span<const int32_t> tokens);
  void make_missing(RecurrentCell::Scratch& scratch);

  const RecurrentCell& cell_;
  const EmbeddingTable& embedding_;
  int64_t width_, room_;
  int64_t kept_ = 0;
  std::vector<int64_t> slots_;    // per word of the vocabulary; -1: not cached
  std::vector<int32_t> missing_;  // words to compute in the present call
  Buffer<float> numbers_;         // [room][width]
  Rows embedded_, projected_;
};

}  // namespace heed::engine
