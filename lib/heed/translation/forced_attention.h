// The attention of a decoder that reads a given translation (teacher forcing): of its last layer, of a chosen layer or
// head, or of every one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/Device.h>

#include "heed/models/model.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

struct ShownAttention {
  std::optional<int64_t> layer = {};  ///< whose attention is shown, from 1; none: the last
  std::optional<int64_t> head = {};   ///< of that layer, from 1; none: the mean of all heads
  bool all_heads = false;             ///< also that of every layer and head
  bool operator==(const ShownAttention&) const = default;
};

/// Of one sentence. Columns are the source's tokens and its end-of-sentence.
struct SentenceAttention {
  text::AlignmentWeights weights;  ///< what is shown
  text::HeadWeights heads;         ///< empty unless all are asked for
};

class ForcedAttention {
 public:
  /// The model must lie on `device`. prefix: of the options' names in messages. Throws ConfigError when the model is a
  /// language model, has no attention over a source, or not the layer or head asked for.
  ForcedAttention(std::shared_ptr<models::Model> model, at::Device device, ShownAttention shown,
                  std::string_view prefix = "");

  /// A row for each token of the target, or the one of end-of-sentence where it has none. Neither has its
  /// end-of-sentence; the model has positions for both (line_length.h) and is in evaluation mode. May be called by
  /// several threads at once.
  SentenceAttention read(const text::Ids& source, const text::Ids& target) const;

  /// These weights as those of every layer and head, for sentences that the model does not read; empty unless all are
  /// asked for.
  text::HeadWeights every_head(const text::AlignmentWeights& weights) const;

 private:
  models::Decoded decode(const text::Ids& source, const text::Ids& target) const;
  at::Tensor shown_of(const models::Decoded& decoded) const;

  std::shared_ptr<models::Model> model_;
  at::Device device_;
  ShownAttention shown_;
  std::string prefix_;
  std::vector<int64_t> heads_;  // of each layer; empty unless all are asked for
};

}  // namespace heed::translation
