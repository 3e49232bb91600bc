// Which source word each target word of a given translation looks at: the decoder reads the whole target with its
// attention kept (teacher forcing), and the attention between subwords is merged to words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed/models/model.h"
#include "heed/text/alignment.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

struct AlignerOptions {
  std::optional<int64_t> layer = {};  ///< whose attention is shown, from 1; none: the last
  std::optional<int64_t> head = {};   ///< of that layer, from 1; none: the mean of all heads
  bool all_heads = false;             ///< also keep the attention of every layer and head
  bool subwords = false;              ///< between tokens instead of words
  bool operator==(const AlignerOptions&) const = default;
};
inline void describe(AlignerOptions& o, OptionVisitor& visit) {
  visit("layer", o.layer, "decoder layer whose attention is shown, counted from 1; none: the last", at_least(1));
  visit("head", o.head, "head of that layer, counted from 1; none: the mean of all heads", at_least(1));
  visit("all-heads", o.all_heads, "show every layer and head too (json, svg, html)");
  visit("subwords", o.subwords, "between the model's tokens instead of words");
}

class Aligner {
 public:
  /// Throws ConfigError when the model's decoder has no attention over a source, or not the layer or head asked for.
  Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device,
          const AlignerOptions& options = {});

  /// One alignment a pair, in order; a pair with a blank side has no words on that side and no links. Throws
  /// LineTooLong for a line that the model has no positions for.
  std::vector<text::Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets);

 private:
  text::Alignment align_pair(size_t pair, const std::string& source, const std::string& target);
  models::Decoded decode(size_t pair, const text::Ids& source, const text::Ids& target) const;

  std::shared_ptr<models::Model> model_;
  text::Tokenizers tokenizers_;
  at::Device device_;
  AlignerOptions options_;
};

}  // namespace heed::translation
