// The length of line that a model reads at once: learned positions limit it, and so do memory and time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/longest_line.h"
#include "heed_torch/models/model.h"
#include "heed_torch/translation/lines/out_of_memory.h"

namespace heed::translation {

/// A line takes more positions than the model has, or more memory than there is. what() tells how many tokens it has,
/// but not which line it is: the thrower knows pairs only, and the file and line of one only its caller.
class LineTooLong : public Error {
 public:
  enum class Side { Source, Target };
  LineTooLong(size_t pair, Side side, int64_t limit, int64_t length);
  /// A line has more than is read of any.
  LineTooLong(size_t pair, Side side, const std::string& reason) : Error(reason), pair_(pair), side_(side) {}
  /// There is no memory for a line of `length` tokens.
  LineTooLong(size_t pair, Side side, int64_t length);

  size_t pair() const { return pair_; }  ///< its place among the pairs given
  Side side() const { return side_; }

 private:
  size_t pair_;
  Side side_;
};

/// The tokens of a line of a pair. Throws LineTooLong for one of more than kMostBytes.
text::Ids encode_line(const text::Tokenizer& tokenizer, const std::string& line, size_t pair, LineTooLong::Side side);

/// Throws LineTooLong for more than kMostTokens, and unless the model has these numbers of positions. source: tokens
/// that the encoder reads, target: tokens that the decoder reads, of the lines of `pair`.
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
