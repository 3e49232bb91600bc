// Writes translated lines and their alignments, and logs warnings about them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heed/report/source_attention_map.h"
#include "heed/text/tokenizer.h"
#include "output.h"
#include "translate/alignment_output.h"
#include "translate/continuation.h"
#include "translate/line_format.h"
#include "translate/translate_options.h"

namespace heed::apps {

/// Makes the map of what the model attended to, from a translation and its words or tokens.
using MapItem =
    std::function<report::SourceAttentionMap(const translation::Translation& translation, text::Alignment words)>;

/// Writes the alignments of translations, if requested.
class AlignmentLines {
 public:
  /// map_item: null if sources are text only.
  AlignmentLines(const TranslateCommand& command, text::Tokenizers tokenizers, MapItem map_item);
  /// One record per output line: the best translation and, with an n-best list, the others.
  void write(const translation::Translation& best);
  /// The output, which the caller must finish; null without --alignment.
  Output* end() { return output_ ? &output_->end() : nullptr; }

 private:
  void write_one(const translation::Translation& translation);

  bool subwords_;
  bool list_;
  text::Tokenizers tokenizers_;
  MapItem map_item_;
  std::optional<AlignmentOutput> output_;
};

/// Logs the first line with the warning at once, and the number of such lines at the end.
class LineWarning {
 public:
  /// kind: describes such lines, in a message after "3 of 40 lines".
  explicit LineWarning(std::string kind) : kind_(std::move(kind)) {}

  /// message: about this line.
  void add(std::string_view message);
  /// lines: the total number. Logs nothing if add() has reported everything.
  void finish(int64_t lines) const;

 private:
  std::string kind_;
  int64_t count_ = 0;
};

/// The longest line that is translated as a whole and without a warning.
struct LengthLimit {
  int64_t tokens = 0;
  std::string text;            ///< for messages: "more than N tokens"
  bool expects_parts = false;  ///< whether lines are split because the user requested it
};

/// All warnings about lines.
class LineWarnings {
 public:
  explicit LineWarnings(LengthLimit limit);
  /// line: counted from 1.
  void add(int64_t line, const translation::Translation& translation);
  /// The same for a line for which its given translation is written.
  void add_kept_target(int64_t line);
  /// The same for the text of the line.
  void add_text(int64_t line, std::string_view text);
  /// lines: the total number.
  void finish(int64_t lines) const;

 private:
  LengthLimit limit_;
  LineWarning split_, whole_, source_cut_, ended_by_rules_, kept_target_, markup_;
};

/// Counts the terms that are required in translations.
class TermCounter {
 public:
  /// constraints: with or without terms.
  explicit TermCounter(const api::ConstraintOptions& constraints);

  void add(const std::string& source, const translation::Translation& translation);
  /// Logs the counts. If no line has a source term but some have a target, a warning says that the columns may be
  /// swapped.
  void finish(int64_t lines) const;

 private:
  std::string path_;               // empty: no terms
  translation::TermList swapped_;  // targets as sources; used until a line has a source term
  int64_t lines_with_target_ = 0;
  int64_t terms_ = 0, lines_ = 0, forced_ = 0, missing_ = 0;
};

class LineOutput {
 public:
  /// limit: for warnings about lines. kept: the part of the output that exists already (Continuation). first: number of
  /// input lines before the first one. Throws FileError, ConfigError.
  LineOutput(const TranslateCommand& command, const text::Tokenizers& tokenizers, MapItem map_item, LengthLimit limit,
             const ResumePoint& kept, int64_t first);

  /// Throws FileError.
  void write(const TranslatedLine& line);
  /// Writes buffered text, since a program may be waiting for it. Throws FileError.
  void flush();
  /// Must be called for files to appear. Throws FileError.
  void finish();

 private:
  const TranslateCommand& command_;
  LineWarnings warnings_;
  TermCounter terms_;
  LineWriter lines_;
  AlignmentLines alignments_;
  Output output_;
  int64_t line_;         // number of the last written line, in the input
  int64_t written_ = 0;  // lines written by this run
  int64_t cut_ = 0;      // how many of them have a truncated translation
};

}  // namespace heed::apps
