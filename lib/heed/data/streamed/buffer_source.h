// Supplies the shuffle buffers of a stream. This process fills them from the text, or receives them from another rank.
#pragma once

#include <memory>

#include "heed/data/batches/stream_position.h"
#include "heed/data/streamed/pair_buffer.h"

namespace heed::data {

struct FilledBuffer {
  std::shared_ptr<const PairBuffer> pairs;  ///< empty at the end of the stream
  StreamedLines after;                      ///< where the next buffer begins
  bool last = false;                        ///< the stream has ended
};

class BufferSource {
 public:
  virtual ~BufferSource() = default;
  /// The position of the first line.
  virtual StreamedLines start() const = 0;
  /// Skips the lines before the position. Throws InputError if the stream has fewer lines, or different ones.
  virtual void skip(const StreamedLines& to) = 0;
  /// Fills a buffer with the next pairs that are kept. from: the position of the stream. Throws what reading throws,
  /// ReadCancelled after break_off(), and InputError if the stream ends and no pair was kept.
  virtual FilledBuffer fill(const StreamedLines& from) = 0;
  /// Ends a fill() that waits. Call no fill() after it. Thread-safe.
  virtual void break_off() = 0;
};

}  // namespace heed::data
