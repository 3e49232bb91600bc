// Learned positions limit how long a line can be.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heed/core/error.h"
#include "heed/models/model.h"

namespace heed::translation {

/// A line takes more positions than the model has. what() tells how many, but not which line: the thrower knows pairs
/// only, and the file and line of one only its caller.
class LineTooLong : public Error {
 public:
  enum class Side { Source, Target };
  LineTooLong(size_t pair, Side side, int64_t limit, int64_t length);

  size_t pair() const { return pair_; }  ///< its place among the pairs given
  Side side() const { return side_; }

 private:
  size_t pair_;
  Side side_;
};

/// Throws LineTooLong unless the model has these numbers of positions. source: tokens that the encoder reads, target:
/// tokens that the decoder reads, of the lines of `pair`.
void check_length(const models::Model& model, size_t pair, int64_t source, int64_t target);

}  // namespace heed::translation
