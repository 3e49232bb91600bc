// What the first cell of a decoder makes of words, W x + b: the same whenever a word comes again, which most do. It is
// kept for as many words as a bounded memory has room for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heed/engine/common/embedding.h"
#include "heed/engine/recurrent/cell.h"

namespace heed::engine {

/// One thread's.
class TokenProjections {
 public:
  /// Both must outlive it. room: words that are kept, at least; 0: as many as 32 MiB hold.
  TokenProjections(const RecurrentCell& cell, const EmbeddingTable& embedding, int64_t room = 0);

  /// A row of RecurrentCell::project for each token, there until the next call.
  void look_up(std::span<const int32_t> tokens, RecurrentCell::Scratch& scratch, std::vector<const float*>& rows);

 private:
  void take_missing(std::span<const int32_t> tokens);
  void make_missing(RecurrentCell::Scratch& scratch);

  const RecurrentCell& cell_;
  const EmbeddingTable& embedding_;
  int64_t width_, room_;
  int64_t kept_ = 0;
  std::vector<int64_t> slots_;    // of each word of the vocabulary; -1: not kept
  std::vector<int32_t> missing_;  // of the call that goes on
  Buffer<float> numbers_;         // [room][width]
  Rows embedded_, projected_;
};

}  // namespace heed::engine
