// The limit on the length of a line: learned positions limit it, and so do memory and time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/lines/line_limits.h"
#include "heed_torch/models/model.h"
#include "heed_torch/translation/lines/out_of_memory.h"

namespace heed::translation {

/// A line needs more positions than the model has, or more memory than is available. what() says how many tokens it
/// has, but not which line it is. The thrower knows only the pair; its caller knows file and line.
class LineTooLong : public Error {
 public:
  enum class Side { Source, Target };
  LineTooLong(size_t pair, Side side, int64_t limit, int64_t length);
  /// A line is longer than the general limit.
  LineTooLong(size_t pair, Side side, const std::string& reason) : Error(reason), pair_(pair), side_(side) {}
  /// There is not enough memory for a line of `length` tokens.
  LineTooLong(size_t pair, Side side, int64_t length);

  size_t pair() const { return pair_; }  ///< its index among the given pairs
  Side side() const { return side_; }

 private:
  size_t pair_;
  Side side_;
};

/// The tokens of a line of a pair. Throws LineTooLong if the line has more than kMostBytes.
text::Ids encode_line(const text::Tokenizer& tokenizer, const std::string& line, size_t pair, LineTooLong::Side side);

/// Throws LineTooLong if a line of `pair` has more than kMostTokens, or more tokens than the model has positions.
/// source: tokens that the encoder reads, target: tokens that the decoder reads.
void check_length(const models::Model& model, size_t pair, int64_t source, int64_t target);

/// Returns the result of `work` on that pair. If it runs out of memory, throws LineTooLong for the longer side.
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
