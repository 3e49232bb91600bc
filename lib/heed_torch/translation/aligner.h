// Word alignments of given translations. The decoder reads the target (forced_attention.h); its attention gives a
// weight for each pair of target and source token. These weights are merged from subwords to words.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"
#include "heed/translation/attention_selection.h"
#include "heed/translation/lines/source_line.h"
#include "heed_torch/models/model.h"
#include "heed_torch/translation/forced_attention.h"

namespace heed::translation {

struct AlignedPair {
  text::Alignment words;                                ///< between words or tokens of both sides
  std::shared_ptr<const search::SourceItem> item = {};  ///< the source's vectors, if it has any
  text::AlignmentWeights item_weights = {};             ///< for each target word the weights of the vectors that the
                                                        ///< encoder reads
};

class Aligner {
 public:
  /// Throws ConfigError if the model's decoder has no attention to a source, or not the requested layer or head.
  Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device,
          const AlignerOptions& options = {});

  /// One alignment per pair, in order. A blank side has no words and no links. Throws LineTooLong for a line that the
  /// model has no positions for.
  std::vector<text::Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets);
  /// The same for sources with vectors. A blank target has no weights.
  std::vector<AlignedPair> align_all(std::span<const SourceLine> sources, std::span<const std::string> targets);

 private:
  AlignedPair align_pair(size_t pair, SourceLine source, std::string target);
  text::AlignmentUnits units_of(const text::Tokenizer& tokenizer, const text::Ids& ids, const std::string& line) const;

  std::shared_ptr<models::Model> model_;
  text::Tokenizers tokenizers_;
  ForcedAttention attention_;
  bool subwords_;
};

}  // namespace heed::translation
