// What kind of pairs a corpus has, and how many were kept or left out.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "heed/core/error.h"
#include "heed/data/corpus/corpus_files.h"
#include "heed/data/corpus/data_options.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// What kind of pairs a corpus has.
struct CorpusForm {
  bool has_source = false;
  text::Target target = text::Ids{};  ///< empty: only its type matters
  bool has_weights = false;
  bool has_alignments = false;
  /// Whether the target is text. Otherwise lengths are limited and batches are measured by the source.
  bool writes_text() const { return std::holds_alternative<text::Ids>(target); }
  bool operator==(const CorpusForm&) const = default;
};

CorpusForm form_of(const text::Tokenizers& tokenizers, const CorpusFiles& files);

/// How many pairs of a corpus were read, kept and left out.
struct CorpusSummary {
  int64_t read = 0;  ///< pairs in the files
  int64_t kept = 0;
  int64_t empty = 0;           ///< left out: a side is blank, or has no token
  int64_t too_long = 0;        ///< left out: a side has more ids than the limits allow
  int64_t unlike_lengths = 0;  ///< left out, like the next two, by a filter (pair_filters.h)
  int64_t identical = 0;
  int64_t other_script = 0;
  int64_t weightless = 0;      ///< left out: their weight is 0
  int64_t bad_rows = 0;        ///< left out: their lines are not pairs
  int64_t duplicates = 0;      ///< left out: they repeat an earlier pair
  int64_t leaking = 0;         ///< also in the validation text: left out; a stream counts such pairs even if it keeps
                               ///< them
  int64_t replaced_lines = 0;  ///< lines in which ill-formed UTF-8 was replaced
  int64_t source_tokens = 0;   ///< of the pairs kept, eos counted, plus vectors; 0 for a language model
  int64_t target_tokens = 0;   ///< of the pairs kept, eos counted; for other targets the labels or numbers
  int64_t source_unknown = 0;  ///< tokens of the pairs kept that are not in the vocabulary
  int64_t target_unknown = 0;
  double source_unknown_share() const;  ///< of the source tokens without eos, in [0, 1]
  double target_unknown_share() const;
  CorpusSummary& operator+=(const CorpusSummary& other);
  bool operator==(const CorpusSummary&) const = default;
};
/// One sentence for the log, such as "29000 pairs, 28990 of them kept; left out: 4 with an empty side, 6 with more than
/// 256 source or 256 target tokens". Without a source it counts lines.
std::string summary_text(const CorpusSummary& summary, const CorpusOptions& options, const CorpusForm& form);

/// Logs the summary. It is a warning if pairs were left out or many tokens are unknown.
void log_summary(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options,
                 const CorpusForm& form);

/// All pairs of a text were left out.
struct NothingLeft : InputError {
  using InputError::InputError;
};
/// The error to throw, with the reasons why the pairs were left out.
NothingLeft nothing_left(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options,
                         const CorpusForm& form);

/// Visits the counts of a summary with their names. Readers and writers both use it.
template <class Summary, class Visit>
void each_count(Summary& summary, Visit visit) {
  visit("read", summary.read);
  visit("kept", summary.kept);
  visit("empty", summary.empty);
  visit("too_long", summary.too_long);
  visit("unlike_lengths", summary.unlike_lengths);
  visit("identical", summary.identical);
  visit("other_script", summary.other_script);
  visit("weightless", summary.weightless);
  visit("bad_rows", summary.bad_rows);
  visit("duplicates", summary.duplicates);
  visit("leaking", summary.leaking);
  visit("replaced_lines", summary.replaced_lines);
  visit("source_tokens", summary.source_tokens);
  visit("target_tokens", summary.target_tokens);
  visit("source_unknown", summary.source_unknown);
  visit("target_unknown", summary.target_unknown);
}

}  // namespace heed::data
