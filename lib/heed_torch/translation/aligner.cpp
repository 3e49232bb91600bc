#include "heed_torch/translation/aligner.h"

#include <utility>

#include "heed/core/error.h"
#include "heed/text/placeholders.h"
#include "heed/translation/lines/protected_lines.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/line_length.h"

namespace heed::translation {
namespace {

/// The weights of the source's vectors, which are the last columns.
text::AlignmentWeights over_item(const text::AlignmentWeights& all, const search::SourceItem& item) {
  text::AlignmentWeights weights;
  for (const auto& row : all) weights.emplace_back(row.end() - item.positions, row.end());
  return weights;
}

}  // namespace

Aligner::Aligner(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, at::Device device,
                 const AlignerOptions& options)
    : model_(std::move(model)),
      tokenizers_(std::move(tokenizers)),
      attention_(model_, device, options.shown),
      subwords_(options.subwords) {}

std::vector<text::Alignment> Aligner::align(std::span<const std::string> sources,
                                            std::span<const std::string> targets) {
  std::vector<SourceLine> lines;
  for (const std::string& source : sources) lines.push_back({.text = source});
  std::vector<text::Alignment> alignments;
  for (AlignedPair& pair : align_all(lines, targets)) alignments.push_back(std::move(pair.words));
  return alignments;
}

std::vector<AlignedPair> Aligner::align_all(std::span<const SourceLine> sources, std::span<const std::string> targets) {
  check(sources.size() == targets.size(), "Aligner::align needs as many sources as targets");
  const EvaluationMode evaluation(*model_);
  std::vector<AlignedPair> pairs;
  pairs.reserve(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) pairs.push_back(align_pair(i, sources[i], targets[i]));
  return pairs;
}

text::AlignmentUnits Aligner::units_of(const text::Tokenizer& tokenizer, const text::Ids& ids,
                                       const std::string& line) const {
  return subwords_ ? text::token_units(tokenizer, ids) : text::line_units(tokenizer, line);
}

AlignedPair Aligner::align_pair(size_t pair, SourceLine source, std::string target) {
  text::Placeholders::Originals originals;
  if (tokenizers_.placeholders) originals = tokenizers_.placeholders->mask_pair(source.text, target);
  const text::Ids source_ids =
      tokenizers_.source ? encode_line(*tokenizers_.source, source.text, pair, LineTooLong::Side::Source) : text::Ids{};
  const text::Ids target_ids = encode_line(*tokenizers_.target, target, pair, LineTooLong::Side::Target);
  text::AlignmentUnits source_units;
  if (tokenizers_.source) source_units = units_of(*tokenizers_.source, source_ids, source.text);
  text::AlignmentUnits target_units = units_of(*tokenizers_.target, target_ids, target);
  if (originals != text::Placeholders::Originals{} && !subwords_) {
    source_units = unmasked(source_units, originals);
    target_units = unmasked(target_units, originals);
  }
  AlignedPair aligned{
      .words = text::Alignment{.source = source_units.names, .target = target_units.names, .weights = {}},
      .item = source.item};
  const search::SourceSentence read_source{0, source_ids, source.item.get()};
  if (read_source.length() == 0 || target_ids.empty()) {
    aligned.words.weights.resize(aligned.words.target.size(), std::vector<float>(aligned.words.source.size()));
    aligned.words.heads = attention_.every_head(aligned.words.weights);
    return aligned;
  }
  // The decoder reads bos, but not the last token.
  check_length(*model_, pair, read_source.positions(), std::ssize(target_ids));
  within_memory(pair, read_source.length(), std::ssize(target_ids), [&] {
    const SentenceAttention read = attention_.read(read_source, target_ids);
    aligned.words.weights = text::merged(read.weights, source_units, target_units);
    aligned.words.heads = text::merged_heads(read.heads, source_units, target_units);
    if (source.item) aligned.item_weights = text::merged_rows(over_item(read.weights, *source.item), target_units);
  });
  return aligned;
}

}  // namespace heed::translation
