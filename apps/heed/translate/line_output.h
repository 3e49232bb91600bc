// Writes translated lines, their alignments, and warnings of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "heed/report/item_map.h"
#include "heed/text/tokenizer.h"
#include "output.h"
#include "translate/alignment_output.h"
#include "translate/continuation.h"
#include "translate/input_line.h"
#include "translate/line_format.h"
#include "translate/line_warning.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// Makes of a translation, and its words or tokens, the map of what the model looked at.
using MapItem = std::function<report::ItemMap(const translation::Translation& translation, text::Alignment words)>;

/// The alignments of the translations, if they are asked for.
class AlignmentLines {
 public:
  /// map_item: null where sources are text alone.
  AlignmentLines(const TranslateCommand& command, text::Tokenizers tokenizers, MapItem map_item);
  /// One record for each line of output: the best translation and, of an n-best list, the others.
  void write(const translation::Translation& best);
  /// The output, which is to be finished; null without --alignment.
  Output* end() { return output_ ? &output_->end() : nullptr; }

 private:
  void write_one(const translation::Translation& translation);

  bool subwords_;
  bool list_;
  text::Tokenizers tokenizers_;
  MapItem map_item_;
  std::optional<AlignmentOutput> output_;
};

/// The longest line that is translated whole and without a warning.
struct LengthLimit {
  int64_t tokens = 0;
  std::string text;            ///< as messages say it: "more than N tokens"
  bool expects_parts = false;  ///< whether lines are cut because that is asked for
};

/// All warnings that a line may cause.
class LineWarnings {
 public:
  explicit LineWarnings(LengthLimit limit);
  /// line: counted from 1.
  void add(int64_t line, const translation::Translation& translation);
  /// lines: how many there were.
  void finish(int64_t lines) const;

 private:
  LengthLimit limit_;
  LineWarning split_, whole_, source_cut_, ended_by_rules_;
};

/// Counts the terms that lines require.
class TermCounter {
 public:
  void add(const translation::Translation& translation);
  /// Logs the counts.
  void finish(int64_t lines) const;

 private:
  int64_t terms_ = 0, lines_ = 0, forced_ = 0, missing_ = 0;
};

class LineOutput {
 public:
  /// limit: of a line's length. kept: what stands in the output already (Continuation). first: lines of the input
  /// before those of the output. Throws FileError, ConfigError.
  LineOutput(const TranslateCommand& command, const text::Tokenizers& tokenizers, MapItem map_item, LengthLimit limit,
             const Kept& kept, int64_t first);

  /// Throws FileError.
  void write(const TranslatedLine& line);
  /// Sends on what is held back, where a program may wait for it. Throws FileError.
  void flush();
  /// Throws FileError; without it files do not appear.
  void finish();

 private:
  const TranslateCommand& command_;
  LineWarnings warnings_;
  TermCounter terms_;
  LineWriter lines_;
  AlignmentLines alignments_;
  Output output_;
  int64_t line_;         // of the input, up to the last one written
  int64_t written_ = 0;  // by this run
  int64_t cut_ = 0;      // of them, translations cut short
};

}  // namespace heed::apps
