// Where the shuffle buffers of a stream come from: they are filled from its lines, or another rank has filled them.
#pragma once

#include <memory>

#include "heed/data/batches/stream_position.h"
#include "heed/data/streamed/pair_buffer.h"

namespace heed::data {

struct FilledBuffer {
  std::shared_ptr<const PairBuffer> pairs;  ///< none at the stream's end
  StreamedLines after;                      ///< where the next one begins
  bool last = false;                        ///< the stream has ended
};

class BufferSource {
 public:
  virtual ~BufferSource() = default;
  /// The position of the first line.
  virtual StreamedLines start() const = 0;
  /// Passes over the lines before that position. Throws InputError where the stream has fewer, or others.
  virtual void skip(const StreamedLines& to) = 0;
  /// The next pairs that are kept. from: where the stream stands. Throws what reading throws, ReadBrokenOff after
  /// break_off(), and InputError where the stream ends without a pair that is kept.
  virtual FilledBuffer fill(const StreamedLines& from) = 0;
  /// Ends a fill() that waits; there may be none after it. May be called from any thread.
  virtual void break_off() = 0;
};

}  // namespace heed::data
