// The length of line that a model can read: learned positions limit it, and so does memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "heed/core/error.h"
#include "heed/models/model.h"
#include "heed/translation/lines/out_of_memory.h"

namespace heed::translation {

/// A line takes more positions than the model has, or more memory than there is. what() tells how many tokens it has,
/// but not which line it is: the thrower knows pairs only, and the file and line of one only its caller.
class LineTooLong : public Error {
 public:
  enum class Side { Source, Target };
  LineTooLong(size_t pair, Side side, int64_t limit, int64_t length);
  /// There is no memory for a line of `length` tokens.
  LineTooLong(size_t pair, Side side, int64_t length);

  size_t pair() const { return pair_; }  ///< its place among the pairs given
  Side side() const { return side_; }

 private:
  size_t pair_;
  Side side_;
};

/// Throws LineTooLong unless the model has these numbers of positions. source: tokens that the encoder reads, target:
/// tokens that the decoder reads, of the lines of `pair`.
void check_length(const models::Model& model, size_t pair, int64_t source, int64_t target);

/// What `work` on that pair gives. Throws LineTooLong, of the longer side, where it runs out of memory.
template <class Work>
auto within_memory(size_t pair, int64_t source, int64_t target, Work&& work) {
  using Side = LineTooLong::Side;
  try {
    return std::forward<Work>(work)();
  } catch (const std::exception& error) {
    if (!ran_out_of_memory(error)) throw;
  }
  throw LineTooLong(pair, source > target ? Side::Source : Side::Target, std::max(source, target));
}

}  // namespace heed::translation
