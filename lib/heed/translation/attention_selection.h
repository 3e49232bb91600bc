// Which attention of a model is shown with a translation, and the interface that computes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heed/core/options.h"
#include "heed/search/beam_model.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

struct AttentionSelection {
  std::optional<int64_t> layer = {};  ///< the decoder layer, from 1; none: the last
  std::optional<int64_t> head = {};   ///< the head of that layer, from 1; none: the mean of all heads
  bool all_heads = false;             ///< also return every layer and head
  bool operator==(const AttentionSelection&) const = default;
};

struct AlignerOptions {
  AttentionSelection shown = {};
  bool subwords = false;  ///< align tokens instead of words
  bool operator==(const AlignerOptions&) const = default;
};
/// prefix: the beginning of the options' names.
void describe(AlignerOptions& o, AnyOptionVisitor auto& visit, const std::string& prefix = "") {
  visit(
      prefix + "layer", o.shown.layer,
      "decoder layer whose attention is shown, counted from 1; none: that of the model's alignment, as a rule the last",
      at_least(1));
  visit(
      prefix + "head", o.shown.head,
      "head of that layer, counted from 1; none: that of the model's alignment, as a rule the mean of all; with a layer, the mean",
      at_least(1));
  visit(prefix + "all-heads", o.shown.all_heads, "show every layer and head as well (json, svg, html)");
  visit(prefix + "subwords", o.subwords, "align the model's tokens instead of words");
}

/// The attention of one sentence. Columns: the source's tokens with end-of-sentence, then its vectors. A source may
/// have only vectors.
struct SentenceAttention {
  text::AlignmentWeights weights;  ///< the attention to show
  text::HeadWeights heads;         ///< empty unless all are asked for
};

/// Computes the attention of a decoder that reads a given translation (forced_attention.h).
class AttentionReader {
 public:
  virtual ~AttentionReader() = default;
  /// One row per token of the target, or the row of end-of-sentence if it has no tokens. Source and target are without
  /// end-of-sentence. The model has positions for both (line_length.h) and is in evaluation mode. Thread-safe.
  virtual SentenceAttention read(const search::SourceSentence& source, const text::Ids& target) const = 0;
  /// The same weights for every layer and head: for a sentence that the model does not read. Empty unless all heads are
  /// asked for.
  virtual text::HeadWeights every_head(const text::AlignmentWeights& weights) const = 0;
};

}  // namespace heed::translation
