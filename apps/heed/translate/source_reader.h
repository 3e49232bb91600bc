// Reads the lines to translate in a thread of its own, while others are translated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "heed/core/bounded_queue.h"
#include "translate/input_line.h"

namespace heed::apps {

/// Where lines come from. What is called lives on its own: a thread may wait in it for a sender until the program ends.
struct LineSource {
  std::function<bool(InputLine& line)> next;                       ///< false at the end
  std::function<void(const std::function<void()>& tell)> on_wait;  ///< see Input::on_wait
  std::optional<int64_t> size = std::nullopt;                      ///< lines; absent: not known
  int64_t first = 0;                                               ///< lines of the input before the first of these
};

class SourceReader {
 public:
  /// ahead: lines that are read before they are taken.
  SourceReader(LineSource source, size_t ahead);
  ~SourceReader();
  SourceReader(const SourceReader&) = delete;
  SourceReader& operator=(const SourceReader&) = delete;

  /// The next lines: `most` of them or, where the sender waits or has come to its end, those that are there; none at
  /// the end. Throws what reading throws; lines that would have been taken together with the bad one are lost.
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
