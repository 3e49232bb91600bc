// The position in a stream of steps, saved in checkpoints and sent to other ranks (core/text/json_members.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/encoded/source_statistics.h"

namespace heed::data {

/// For text that is read once: the line at which the current shuffle buffer begins.
struct StreamedLines {
  CorpusSummary before = {};         ///< summary of the lines before the buffer; before.read is their number
  std::string sha256 = {};           ///< checksum of the lines before the buffer
  int64_t given = 0;                 ///< pairs of the buffer that steps were already made of
  LengthCounts source_lengths = {};  ///< source lengths of the pairs kept before the buffer
  /// The usual source length (source_statistics.h) of all pairs kept so far, including those of the current buffer.
  /// Absent for a language model.
  std::optional<int64_t> usual_source_length = std::nullopt;
  bool operator==(const StreamedLines&) const = default;
};
void describe_members(CorpusSummary& summary, auto& visit) {
  each_count(summary, [&](const char* name, int64_t& count) { visit.added(name, count); });
}
void describe_members(StreamedLines& lines, auto& visit) {
  visit("sha256", lines.sha256);
  visit("given", lines.given);
  visit("before", lines.before);
  visit.added("source_lengths", lines.source_lengths);
  visit.if_set("usual_source_length", lines.usual_source_length);
}

struct StreamPosition {
  int64_t epoch = 0;                                  ///< from 0
  int64_t window = 0;                                 ///< within the epoch
  int64_t step = 0;                                   ///< within the window
  std::optional<StreamedLines> lines = std::nullopt;  ///< absent if the text is stored
  bool operator==(const StreamPosition&) const = default;
};
void describe_members(StreamPosition& position, auto& visit) {
  visit("epoch", position.epoch);
  visit("window", position.window);
  visit("update", position.step);
  visit.if_set("lines", position.lines);
}

}  // namespace heed::data
