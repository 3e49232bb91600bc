#include "heed/translation/aligner.h"

#include <utility>

#include "heed/core/error.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/lines/line_length.h"

namespace heed::translation {

Aligner::Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device,
                 const AlignerOptions& options)
    : model_(std::move(model)),
      tokenizers_(std::move(tokenizers)),
      attention_(model_, device, options.shown),
      subwords_(options.subwords) {}

std::vector<text::Alignment> Aligner::align(std::span<const std::string> sources,
                                            std::span<const std::string> targets) {
  check(sources.size() == targets.size(), "Aligner::align needs as many sources as targets");
  const EvaluationMode evaluation(*model_);
  std::vector<text::Alignment> alignments;
  alignments.reserve(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) alignments.push_back(align_pair(i, sources[i], targets[i]));
  return alignments;
}

text::Alignment Aligner::align_pair(size_t pair, const std::string& source, const std::string& target) {
  const text::Ids source_ids = tokenizers_.source->encode(source);
  const text::Ids target_ids = tokenizers_.target->encode(target);
  const auto units_of = [&](const text::Tokenizer& tokenizer, const text::Ids& ids, const std::string& line) {
    return subwords_ ? text::token_units(tokenizer, ids) : text::line_units(tokenizer, line);
  };
  const text::AlignmentUnits source_units = units_of(*tokenizers_.source, source_ids, source);
  const text::AlignmentUnits target_units = units_of(*tokenizers_.target, target_ids, target);
  text::Alignment alignment{.source = source_units.names, .target = target_units.names, .weights = {}};
  if (source_ids.empty() || target_ids.empty()) {
    alignment.weights.resize(alignment.target.size(), std::vector<float>(alignment.source.size()));
    alignment.heads = attention_.every_head(alignment.weights);
    return alignment;
  }
  // The encoder reads end-of-sentence too, the decoder bos but not the last token.
  check_length(*model_, pair, std::ssize(source_ids) + 1, std::ssize(target_ids));
  within_memory(pair, std::ssize(source_ids), std::ssize(target_ids), [&] {
    const SentenceAttention read = attention_.read(source_ids, target_ids);
    alignment.weights = text::merged(read.weights, source_units, target_units);
    alignment.heads = text::merged_heads(read.heads, source_units, target_units);
  });
  return alignment;
}

}  // namespace heed::translation
