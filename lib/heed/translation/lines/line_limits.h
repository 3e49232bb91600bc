// The limits on the length of a line: positions of the model, memory and time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

/// The time and memory of attention grow with the square of a line's tokens. The time to split a word into tokens grows
/// with the square of its characters.
inline constexpr int64_t kMostTokens = 10'000;
inline constexpr int64_t kMostBytes = 200'000;

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

/// The positions of a model for tokens that the encoder reads and for tokens that the decoder reads; absent: no limit.
struct ModelPositions {
  std::optional<int64_t> source = {}, target = {};
};
/// Throws LineTooLong if a line of `pair` has more than kMostTokens, or more tokens than the model has positions.
/// source: tokens that the encoder reads, target: tokens that the decoder reads.
void check_length(const ModelPositions& model, size_t pair, int64_t source, int64_t target);

}  // namespace heed::translation
