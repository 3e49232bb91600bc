#include "heed/translation/lines/line_limits.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "heed/core/text/counted.h"

namespace heed::translation {

LineTooLong::LineTooLong(size_t pair, Side side, int64_t limit, int64_t length)
    : Error("the model has positions for at most " + std::to_string(limit) +
            (side == Side::Source ? " source" : " target") + " tokens, but the line needs " + std::to_string(length)),
      pair_(pair),
      side_(side) {}

LineTooLong::LineTooLong(size_t pair, Side side, int64_t length)
    : Error("there is not enough memory for a line of " + std::to_string(length) + " tokens"),
      pair_(pair),
      side_(side) {}

text::Ids encode_line(const text::Tokenizer& tokenizer, const std::string& line, size_t pair, LineTooLong::Side side) {
  if (std::ssize(line) > kMostBytes) {
    throw LineTooLong(pair, side,
                      "a line is read at once up to " + format_count(kMostBytes) + " bytes, but this one has " +
                          format_count(std::ssize(line)));
  }
  return tokenizer.encode(line);
}

void check_length(const ModelPositions& model, size_t pair, int64_t source, int64_t target) {
  using Side = LineTooLong::Side;
  if (model.source && source > *model.source) throw LineTooLong(pair, Side::Source, *model.source, source);
  if (model.target && target > *model.target) throw LineTooLong(pair, Side::Target, *model.target, target);
  if (std::max(source, target) <= kMostTokens) return;
  throw LineTooLong(pair, source > target ? Side::Source : Side::Target,
                    "a line is read at once up to " + format_count(kMostTokens) + " tokens, but this one has " +
                        format_count(std::max(source, target)));
}

}  // namespace heed::translation
