#include "heed/data/batches/batch_builder.h"

#include <utility>
#include <variant>
#include <vector>

#include "heed/core/random.h"
#include "heed/data/batches/token_links.h"
#include "heed/data/encoded/encode_sides.h"
#include "heed/text/placeholders.h"
#include "heed/text/targets/word_ids.h"

namespace heed::data {
namespace {

/// Replaces the stored ids of a line by a sample, if the tokenizer samples one that fits.
template <class Stored>
void sample(Stored& stored, const text::Tokenizer* tokenizer, std::string_view line, RandomStream& random,
            int64_t longest) {
  if (tokenizer == nullptr || !tokenizer->samples()) return;
  text::Ids sampled = tokenizer->sample(line, random);
  if (!sampled.empty() && std::ssize(sampled) <= longest) stored = std::move(sampled);
}

bool samples(const std::shared_ptr<const text::Tokenizer>& tokenizer) { return tokenizer && tokenizer->samples(); }

}  // namespace

BatchBuilder::BatchBuilder(text::Tokenizers tokenizers, int64_t micro_batches, const MicroBatchShare& share,
                           uint64_t seed, Augmentation augmentation)
    : tokenizers_(std::move(tokenizers)),
      micro_batches_(micro_batches),
      share_(share),
      seed_(seed),
      samples_(samples(tokenizers_.source) || samples(tokenizers_.target)),
      augmentation_(std::move(augmentation)) {}

StepBatch BatchBuilder::make(const PlannedBatch& planned) const {
  std::vector<int64_t> lines;
  for (const uint32_t offset : planned.plan->pairs(planned.position.step)) {
    lines.push_back(planned.window.begin + offset);
  }
  const EncodedPairs& from = *planned.pairs;
  const bool by_length = !samples_ && !augmentation_.any() && from.form().writes_text();
  return by_length ? make_stored(lines, from) : make_encoded(lines, planned);
}

/// Reads only the pairs of the micro-batches that belong to this share.
StepBatch BatchBuilder::make_stored(std::span<const int64_t> lines, const EncodedPairs& from) const {
  std::vector<int64_t> sizes;
  for (const int64_t line : lines) sizes.push_back(batch_tokens(line, from));
  return cut(sizes, [&](size_t begin, size_t count, bool is_ours) {
    const auto micro_batch = lines.subspan(begin, count);
    if (!is_ours) return outline_batch(micro_batch, from);
    std::vector<BatchPair> pairs;
    for (const int64_t line : micro_batch) pairs.push_back(stored(line, from));
    return make_batch(pairs, from);
  });
}

StepBatch BatchBuilder::make_encoded(std::span<const int64_t> lines, const PlannedBatch& planned) const {
  const EncodedPairs& from = *planned.pairs;
  std::vector<BatchPair> pairs;
  for (const int64_t line : lines) pairs.push_back(encode(line, planned));
  std::vector<int64_t> sizes;
  for (const BatchPair& pair : pairs) sizes.push_back(batch_tokens(pair, from));
  return cut(sizes, [&](size_t begin, size_t count, bool is_ours) {
    const auto micro_batch = std::span(pairs).subspan(begin, count);
    return is_ours ? make_batch(micro_batch, from) : outline_batch(micro_batch, from);
  });
}

/// make_micro_batch: called with the start and the size of each micro-batch, and whether the micro-batch belongs to
/// this share.
StepBatch BatchBuilder::cut(
    std::span<const int64_t> sizes,
    const std::function<MicroBatch(size_t begin, size_t count, bool is_ours)>& make_micro_batch) const {
  std::vector<int64_t> begins = cut_evenly(sizes, micro_batches_);
  const auto micro_batches = std::ssize(begins);
  begins.push_back(std::ssize(sizes));
  StepBatch step;
  for (int64_t micro_batch = 0; micro_batch < micro_batches; ++micro_batch) {
    const auto begin = static_cast<size_t>(begins[static_cast<size_t>(micro_batch)]);
    const auto count = static_cast<size_t>(begins[static_cast<size_t>(micro_batch) + 1]) - begin;
    const bool is_ours = share_.begin(micro_batches) <= micro_batch && micro_batch < share_.end(micro_batches);
    step.micro_batches.push_back(make_micro_batch(begin, count, is_ours));
    step.source_tokens += step.micro_batches.back().source_tokens;
    step.target_tokens += step.micro_batches.back().target_tokens;
  }
  return step;
}

/// A pair with the links of its alignment.
BatchPair BatchBuilder::stored(int64_t line, const EncodedPairs& from) const {
  BatchPair pair = stored_pair(line, from);
  if (!from.form().has_alignments) return pair;
  pair.links = token_links(from.text(line), pair.source, std::get<text::Ids>(pair.target), tokenizers_);
  return pair;
}

BatchPair BatchBuilder::encode(int64_t line, const PlannedBatch& planned) const {
  const EncodedPairs& from = *planned.pairs;
  BatchPair pair = stored_pair(line, from);
  RandomStream random(seed_, Purpose::Subwords, static_cast<uint64_t>(planned.position.epoch),
                      static_cast<uint64_t>(line));
  if (augmentation_.any() && encode_augmented(pair, planned, random)) return pair;
  if (!samples_) return stored(line, from);
  const TextPair text = from.text(line);
  encode_sampled(pair, text, from, random);
  if (from.form().has_alignments) {
    pair.links = token_links(text, pair.source, std::get<text::Ids>(pair.target), tokenizers_);
  }
  return pair;
}

void BatchBuilder::encode_sampled(BatchPair& pair, const TextPair& text, const EncodedPairs& from,
                                  RandomStream& random) const {
  TextPair masked = text;
  if (tokenizers_.placeholders) tokenizers_.placeholders->mask_pair(masked.source, masked.target);
  const CorpusOptions& limits = from.limits();
  if (std::holds_alternative<text::WordLabels>(pair.target)) {
    return encode_words(pair, masked, limits.max_source_length, random);
  }
  if (from.has_source()) {
    sample(pair.source, tokenizers_.source.get(), masked.source, random, limits.max_source_length);
  }
  sample(pair.target, tokenizers_.target.get(), masked.target, random, limits.max_target_length);
}

/// Returns false if the pair stays as it is, also because the changed text would be too long.
bool BatchBuilder::encode_augmented(BatchPair& pair, const PlannedBatch& planned, RandomStream& random) const {
  auto text = augmentation_.changed(pair.line, *planned.pairs, planned.window, seed_, planned.position.epoch);
  if (!text) return false;
  if (tokenizers_.placeholders) tokenizers_.placeholders->mask_pair(text->source, text->target);
  const CorpusOptions& limits = planned.pairs->limits();
  text::Ids source = tokenizers_.source->sample(text->source, random);
  text::Ids target = tokenizers_.target->sample(text->target, random);
  const bool fits = std::ssize(source) <= limits.max_source_length && std::ssize(target) <= limits.max_target_length;
  if (!fits || source.empty() || target.empty()) return false;
  pair.source = std::move(source);
  pair.target = std::move(target);
  return true;
}

void BatchBuilder::encode_words(BatchPair& pair, const TextPair& text, int64_t longest, RandomStream& random) const {
  if (!tokenizers_.source->samples()) return;
  text::WordIds words = text::word_ids(*tokenizers_.source, text.source, &random);
  if (std::ssize(words.ids) > longest) return;
  pair.target = spread_labels(words, std::get<text::WordLabels>(tokenizers_.target->target(text.target)));
  pair.source = std::move(words.ids);
}

}  // namespace heed::data
