// Reads the lines to translate, or a part of them (`--shard I/N`), in a separate thread while others are translated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "heed/core/bounded_queue.h"
#include "translate/line_format.h"

namespace heed::apps {

/// The origin of lines. Its functions must own their data, because a thread may wait in them until the program ends.
struct LineSource {
  std::function<bool(InputLine& line)> next;                       ///< false at the end
  std::function<void(const std::function<void()>& tell)> on_wait;  ///< see Input::on_wait
  std::optional<int64_t> size = std::nullopt;                      ///< number of lines; absent: unknown
  int64_t first = 0;                                               ///< number of input lines before the first of these
};

/// One of N equal parts of an input, so that N processes can share it.
struct Shard {
  int64_t number = 1;  ///< from 1
  int64_t of = 1;
};
/// Parses "3/8"; an empty text means the whole input. Throws ConfigError.
Shard shard_of(const std::string& text);

/// The lines of this part: from (number - 1) / of to number / of of all lines. Sets `first`. Throws ConfigError if the
/// number of lines is unknown.
LineSource part_of(const LineSource& lines, const Shard& shard);

class SourceReader {
 public:
  /// ahead: the number of lines to read before they are needed.
  SourceReader(LineSource source, size_t ahead);
  ~SourceReader();
  SourceReader(const SourceReader&) = delete;
  SourceReader& operator=(const SourceReader&) = delete;

  /// The next `most` lines. If the sender waits or has ended, returns the lines so far; an empty result means the end.
  /// Throws what reading throws. Lines that would have been returned with the bad line are lost.
  std::vector<InputLine> take(size_t most) { return state_->lines.take(most); }

 private:
  struct State {
    LineSource source;
    BoundedQueue<InputLine> lines;
  };
  static void read(State& state);

  std::shared_ptr<State> state_;  // shared with the thread
  std::thread thread_;
};

}  // namespace heed::apps
