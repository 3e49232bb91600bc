// Which source word each target word of a given translation looks at: the decoder reads the whole target with its
// attention kept (teacher forcing), and the attention between subwords is merged to words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heed/models/model.h"
#include "heed/text/tokenizer.h"

namespace heed::translation {

/// Attention between the white-space separated words of one sentence pair.
struct Alignment {
  std::vector<std::string> source_words;
  std::vector<std::string> target_words;
  /// weights[t][s]: the attention that target word t (mean over its subwords) pays to source word s (sum over its
  /// subwords). What falls on the end-of-sentence mark is left out, so a row sums to at most 1.
  std::vector<std::vector<float>> weights;

  /// The source word each target word looks at most, as (source, target) pairs sorted by source, then target.
  std::vector<std::pair<int64_t, int64_t>> links() const;
};

/// `0-0 1-2 ...`: the Pharaoh format, source word first, counted from 0.
std::string pharaoh(const Alignment& alignment);

class Aligner {
 public:
  /// Throws ConfigError when the model's decoder has no attention over a source.
  Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device);

  /// One alignment a pair, in order; a pair with a blank side has no words on that side and no links. Throws LineTooLong
  /// for a line that the model has no positions for.
  std::vector<Alignment> align(std::span<const std::string> sources, std::span<const std::string> targets);

 private:
  Alignment align_pair(size_t pair, const std::string& source, const std::string& target);

  std::shared_ptr<models::Model> model_;
  text::Tokenizers tokenizers_;
  at::Device device_;
};

}  // namespace heed::translation
