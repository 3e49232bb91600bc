// Translates lines of text: one output line per input line, in order; blank for a blank line. Programs, servers and
// validation all translate with this class. A line that is too long for the model is translated in parts, and
// Translation::parts reports it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heed/search/search_options.h"
#include "heed/search/sentence_beam.h"
#include "heed/text/placeholders.h"
#include "heed/text/protected_text.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/attention_selection.h"
#include "heed/translation/lines/assemble.h"
#include "heed/translation/lines/source_line.h"
#include "heed/translation/lines/split_line.h"
#include "heed/translation/lines/translation.h"
#include "heed/translation/lines/translation_constraints.h"
#include "heed/translation/translation_model.h"
#include "heed/translation/translator_options.h"

namespace heed::translation {

/// The progress of a translation.
struct TranslationProgress {
  int64_t lines = 0;          ///< translated, but possibly not yet returned
  int64_t source_tokens = 0;  ///< with end-of-sentence, as in training
  int64_t target_tokens = 0;  ///< of the best translations, with end-of-sentence
  double seconds = 0;         ///< since the first line was requested
};

/// Returns the lines to translate now, at most `most`; none at the end.
using NextLines = std::function<std::vector<SourceLine>(size_t most)>;
using TakeTranslation = std::function<void(Translation&& translation)>;
/// A line of a continuous translation.
struct FinishedLine {
  size_t number;  ///< counts the lines in the order in which they came
  Translation translation;
  int64_t source_tokens = 0;  ///< with end-of-sentence
  int64_t target_tokens = 0;  ///< of the best translation, with end-of-sentence
};
using TakeFinishedLine = std::function<void(FinishedLine&& line)>;
/// Called from the workers' threads, one at a time.
using OnProgress = std::function<void(const TranslationProgress& progress)>;

class Translator {
 public:
  /// Throws ConfigError if options contradict each other.
  Translator(std::shared_ptr<const TranslationModel> model, text::Tokenizers tokenizers,
             const search::SearchOptions& search, const TranslatorOptions& options, search::ReturnOptions keep = {});

  /// Sets the reader that computes the attention of a translation and of its n-best list. It can return any layer or
  /// head, or all of them. Without it, translations have the attention of the search: the mean of the last layer's
  /// heads.
  void show(std::shared_ptr<const AttentionReader> reader) { reader_ = std::move(reader); }

  /// Sets the rule for splitting lines. By default only lines that are too long are split. usual_tokens: see Splitting.
  void split(SplitRule rule, std::optional<int64_t> usual_tokens);
  /// Sets the constraints on translations. They need the target's tokenizer.
  void constrain(std::shared_ptr<const TranslationConstraints> constraints) { constraints_ = std::move(constraints); }

  /// Sets the replacement of unknown tokens. Searches must keep the attention.
  void replace_unknown(std::shared_ptr<const UnknownWordReplacer> unknown) { unknown_ = std::move(unknown); }

  /// Protects further text than the model's tokenizers say (Tokenizers::placeholders): it comes back unchanged, as
  /// often as in its line, whatever the model writes. A model with placeholders reads placeholders for it too.
  /// restores: whether text that the model loses is put back; documents do this themselves.
  void protect(const text::ProtectedRules& further, bool restores = true);
  /// All text that is protected.
  const text::ProtectedRules& protected_rules() const { return protected_; }

  /// Reorders a translation and its n-best list; called from several threads.
  using Rank = std::function<void(Translation& translation)>;
  /// Sets the function that chooses the best translation from the n-best list.
  void rank_with(Rank rank) { rank_ = std::move(rank); }

  /// The translation of each line, in order. Text next to vectors that is too long is cut; each part has all of the
  /// vectors. Throws Error where the constraints need more tokens in a line than a translation can have, or than is
  /// read at once (line_limits.h).
  std::vector<Translation> translate(std::span<const SourceLine> lines, const OnProgress& on_progress = {}) const;
  /// Translates a stream: asks `next` for a window of lines, translates it and hands its translations to `take` in
  /// order, until there are no more lines. Memory is bounded by the window. The first windows are small, so that output
  /// begins soon. `next` may return fewer lines than a window has: they are translated at once. first_line: the number
  /// of the first line in the whole input, for messages and for random numbers.
  void translate_stream(const NextLines& next, const TakeTranslation& take, const OnProgress& on_progress = {},
                        int64_t first_line = 1) const;

  /// Translates lines that come while others are translated (continuous batching), in this thread. Before each step of
  /// the search it asks `next` for further lines, at most as many as there is room for, which may be 0. They join the
  /// batch under way. `take` gets each line as soon as it is translated, in any order. Ends when `next` returns no line
  /// and none is left. A model whose results are the same in every batch translates each line as by itself. Samples
  /// are those of a first line. An exception of `next` ends the translation.
  void translate_continuously(const NextLines& next, const TakeFinishedLine& take) const;

  /// The number of leading lines, at most `lines`, after which translation can resume with bit-identical output. Where
  /// the rounding of a line depends on the other lines of its batch, these are the lines of whole windows.
  int64_t resumable_lines(int64_t lines) const;

  /// The maximum tokens of a line that is translated whole, without end-of-sentence.
  int64_t max_source_length() const { return splitting_.max_tokens; }
  /// The rule for splitting lines.
  const Splitting& splitting() const { return splitting_; }

 private:
  class Counter;
  struct Window;
  struct PartSearch;
  struct FirstSearches;
  struct TermSearches;
  class ContinuousBatch;
  Window prepare(std::span<const SourceLine> lines, int64_t first_line) const;
  void add_constraints(Window& window, std::span<const SourceLine> lines, int64_t first_line) const;
  static void check_prefix(const std::string& prefix, int64_t line);
  void check_room(const search::SentenceConstraints& constraints, int64_t line) const;
  void rank_all(std::span<Translation> translations) const;
  void finish_line(Translation& translation, const std::string& line) const;
  void search(Window& window, Counter& counter) const;
  FirstSearches first_searches(const Window& window) const;
  search::ReturnOptions first_kept(bool terms) const;
  bool take_first(TranslatedPart& part, std::vector<search::Hypothesis>&& hypotheses, TermSearches& terms) const;
  void search_terms(Window& window, std::span<TermSearches> terms,
                    const std::function<void(size_t part)>& finished) const;
  std::vector<search::SentenceConstraints> term_searches(const search::SentenceConstraints& constraints,
                                                         const search::Hypothesis& found) const;
  void search_parts(
      const Window& window, std::span<const PartSearch> searches, search::ReturnOptions keep,
      const std::function<void(size_t search, std::vector<search::Hypothesis>&& hypotheses)>& found) const;
  std::vector<Translation> translate_window(std::span<const SourceLine> lines, int64_t first_line,
                                            Counter& counter) const;
  std::vector<Translation> finish(Window& window, std::span<const SourceLine> lines) const;
  std::shared_ptr<const search::ForbiddenPhrases> forbid_across_parts(Window& window, size_t line) const;
  void search_again(Window& window, size_t part) const;
  void take_found(TranslatedPart& part, std::vector<search::Hypothesis>&& hypotheses) const;
  void read_again(TranslatedPart& part) const;
  size_t largest_window() const { return static_cast<size_t>(options_.read_ahead); }

  std::shared_ptr<const TranslationModel> model_;
  text::Tokenizers tokenizers_;
  search::SearchOptions search_;
  TranslatorOptions options_;
  search::ReturnOptions keep_;
  bool returns_attention_;  // else it is kept only for protected text
  Splitting splitting_;
  std::shared_ptr<const AttentionReader> reader_;
  std::shared_ptr<const TranslationConstraints> constraints_;
  std::shared_ptr<const UnknownWordReplacer> unknown_;
  Rank rank_;
  text::ProtectedRules protected_;
  std::shared_ptr<const text::Placeholders> placeholders_;  // null: the model reads protected text as it is
  std::shared_ptr<const text::ProtectedText> restored_;     // null: nothing is put back
};

}  // namespace heed::translation
