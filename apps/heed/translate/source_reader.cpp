#include "translate/source_reader.h"

#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/parsed_number.h"

namespace heed::apps {
namespace {

/// Ends the reading when no more lines are needed.
struct NotWanted : std::exception {};

}  // namespace

Shard shard_of(const std::string& text) {
  if (text.empty()) return {};
  const size_t slash = text.find('/');
  const auto number = parsed_number<int64_t>(std::string_view(text).substr(0, slash));
  const auto of =
      slash == std::string::npos ? std::nullopt : parsed_number<int64_t>(std::string_view(text).substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of) {
    throw ConfigError("--shard",
                      fmt::format("must be a part and how many there are, such as 1/8 to 8/8, but is `{}`", text));
  }
  return {.number = *number, .of = *of};
}

LineSource part_of(const LineSource& lines, const Shard& shard) {
  if (shard.of == 1) return lines;
  if (!lines.size) {
    throw ConfigError("--shard", "needs an input whose lines can be counted: files, no pipe and no standard input");
  }
  const int64_t begin = *lines.size * (shard.number - 1) / shard.of, end = *lines.size * shard.number / shard.of;
  const auto next = std::make_shared<int64_t>(0);  // line number in the whole input
  return {.next =
              [lines, next, begin, end](InputLine& line) {
                if (begin == end || *next >= end) return false;
                do {
                  line = {};
                  if (!lines.next(line)) return false;
                } while (++*next <= begin);
                return true;
              },
          .on_wait = lines.on_wait,
          .size = end - begin,
          .first = begin};
}

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
