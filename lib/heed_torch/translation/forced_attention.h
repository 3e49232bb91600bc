// The attention of a decoder that reads a given translation (teacher forcing): of its last layer, of one layer or head,
// or of all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/Device.h>

#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/attention_selection.h"
#include "heed_torch/models/model.h"

namespace heed::translation {

class ForcedAttention : public AttentionReader {
 public:
  /// The model must be on `device`. prefix: for the options' names in messages. Throws ConfigError if the model is a
  /// language model, has no attention to a source, or lacks the requested layer or head.
  ForcedAttention(std::shared_ptr<models::Model> model, at::Device device, AttentionSelection shown,
                  std::string_view prefix = "");

  SentenceAttention read(const search::SourceSentence& source, const text::Ids& target) const override;
  text::HeadWeights every_head(const text::AlignmentWeights& weights) const override;

 private:
  models::Decoded decode(const search::SourceSentence& source, const text::Ids& target) const;
  at::Tensor shown_of(const models::Decoded& decoded) const;

  std::shared_ptr<models::Model> model_;
  at::Device device_;
  AttentionSelection shown_;
  std::string prefix_;
  std::vector<int64_t> heads_;  // of each layer; empty unless all are requested
};

}  // namespace heed::translation
