#include "translate/source_reader.h"

#include <exception>
#include <utility>

namespace heed::apps {
namespace {

/// Ends the reading when no more lines are needed.
struct NotWanted : std::exception {};

}  // namespace

SourceReader::SourceReader(LineSource source, size_t ahead)
    : state_(new State{.source = std::move(source), .lines = BoundedQueue<InputLine>(ahead)}),
      thread_([state = state_] { read(*state); }) {}

/// A read that waits for its sender cannot be interrupted, so its thread is detached.
SourceReader::~SourceReader() { state_->lines.refuse() ? thread_.detach() : thread_.join(); }

void SourceReader::read(State& state) {
  try {
    state.source.on_wait([&state] {
      if (!state.lines.pause()) throw NotWanted();
    });
    for (InputLine line; state.source.next(line); line = {}) {
      if (!state.lines.put(std::move(line))) return;
    }
    state.lines.close();
  } catch (...) {
    state.lines.close(std::current_exception());
  }
}

}  // namespace heed::apps
