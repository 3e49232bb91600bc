// Which attention of a model is shown beside a translation, and who reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heed/core/options.h"
#include "heed/search/beam_model.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

struct ShownAttention {
  std::optional<int64_t> layer = {};  ///< whose attention is shown, from 1; none: the last
  std::optional<int64_t> head = {};   ///< of that layer, from 1; none: the mean of all heads
  bool all_heads = false;             ///< also that of every layer and head
  bool operator==(const ShownAttention&) const = default;
};

struct AlignerOptions {
  ShownAttention shown = {};
  bool subwords = false;  ///< between tokens instead of words
  bool operator==(const AlignerOptions&) const = default;
};
/// prefix: what the options' names begin with.
void describe(AlignerOptions& o, AnyOptionVisitor auto& visit, const std::string& prefix = "") {
  visit(prefix + "layer", o.shown.layer, "decoder layer whose attention is shown, counted from 1; none: the last",
        at_least(1));
  visit(prefix + "head", o.shown.head, "head of that layer, counted from 1; none: the mean of all heads", at_least(1));
  visit(prefix + "all-heads", o.shown.all_heads, "show every layer and head as well (json, svg, html)");
  visit(prefix + "subwords", o.subwords, "align the model's tokens instead of words");
}

/// Of one sentence. Columns are the source's tokens and its end-of-sentence, and its vectors behind them, or alone.
struct SentenceAttention {
  text::AlignmentWeights weights;  ///< what is shown
  text::HeadWeights heads;         ///< empty unless all are asked for
};

/// The attention of a decoder that reads a given translation (forced_attention.h).
class AttentionReader {
 public:
  virtual ~AttentionReader() = default;
  /// A row for each token of the target, or the one of end-of-sentence where it has none. Neither has its
  /// end-of-sentence; the model has positions for both (line_length.h) and is in evaluation mode. May be called by
  /// several threads at once.
  virtual SentenceAttention read(const search::SourceSentence& source, const text::Ids& target) const = 0;
  /// These weights as those of every layer and head, for sentences that the model does not read; empty unless all are
  /// asked for.
  virtual text::HeadWeights every_head(const text::AlignmentWeights& weights) const = 0;
};

}  // namespace heed::translation
