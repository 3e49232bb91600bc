#include "translate/source_reader.h"

#include <exception>
#include <utility>

namespace heed::apps {
namespace {

/// Ends a reader whose lines nobody wants any more.
struct NotWanted : std::exception {};

}  // namespace

SourceReader::SourceReader(LineSource source, size_t ahead)
    : state_(new State{.source = std::move(source), .lines = BoundedQueue<InputLine>(ahead)}),
      thread_([state = state_] { read(*state); }) {}

/// Nothing ends a read that waits for a sender: that thread is left to itself.
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
