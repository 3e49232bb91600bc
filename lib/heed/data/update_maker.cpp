#include "heed/data/update_maker.h"

#include <utility>
#include <vector>

#include "heed/core/random.h"
#include "heed/data/batching.h"
#include "heed/data/corpus/encode_sides.h"
#include "heed/text/targets/word_ids.h"

namespace heed::data {
namespace {

/// The ids of one line: a sample, kept in `sampled`, where the tokenizer draws one that fits.
std::span<const int32_t> ids_of(const text::Tokenizer* tokenizer, std::string_view line, RandomStream& random,
                                int64_t longest, std::span<const int32_t> stored, text::Ids& sampled) {
  if (tokenizer == nullptr || !tokenizer->samples()) return stored;
  sampled = tokenizer->sample(line, random);
  const bool fits = !sampled.empty() && static_cast<int64_t>(sampled.size()) <= longest;
  return fits ? std::span<const int32_t>(sampled) : stored;
}

}  // namespace

struct UpdateMaker::SampledPair {
  text::Ids source;
  text::Ids target;
  PairIds ids;  // points into the corpus or to the heap memory of the two: it may be moved, not copied
};

UpdateMaker::UpdateMaker(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers, int64_t parts,
                         const PartShare& share, uint64_t seed)
    : corpus_(std::move(corpus)), tokenizers_(std::move(tokenizers)), parts_(parts), share_(share), seed_(seed) {}

Update UpdateMaker::make(const PlannedUpdate& planned) const {
  std::vector<SampledPair> sampled;
  std::vector<PairIds> pairs;
  std::vector<int64_t> sizes;
  for (const uint32_t offset : planned.plan->pairs(planned.position.update)) {
    sampled.push_back(encode(planned.window.begin + offset, planned.position.epoch));
    pairs.push_back(sampled.back().ids);
    sizes.push_back(batch_tokens(pairs.back(), *corpus_));
  }
  std::vector<int64_t> begins = cut_evenly(sizes, parts_);
  const auto parts = std::ssize(begins);
  begins.push_back(static_cast<int64_t>(pairs.size()));
  Update update;
  for (int64_t part = 0; part < parts; ++part) {
    const auto begin = static_cast<size_t>(begins[static_cast<size_t>(part)]);
    const auto count = static_cast<size_t>(begins[static_cast<size_t>(part) + 1]) - begin;
    const std::span<const PairIds> batch = std::span(pairs).subspan(begin, count);
    const bool is_ours = share_.begin(parts) <= part && part < share_.end(parts);
    update.parts.push_back(is_ours ? make_batch(batch, *corpus_) : outline_batch(batch, *corpus_));
    update.source_tokens += update.parts.back().source_tokens;
    update.target_tokens += update.parts.back().target_tokens;
  }
  return update;
}

UpdateMaker::SampledPair UpdateMaker::encode(int64_t pair, int64_t epoch) const {
  SampledPair result{.source = {}, .target = {}, .ids = {.line = pair, .source = {}, .target = {}}};
  RandomStream random(seed_, Purpose::Subwords, static_cast<uint64_t>(epoch), static_cast<uint64_t>(pair));
  if (corpus_->target_kind() == text::TargetKind::WordLabels) return encode_words(pair, random);
  const CorpusOptions& limits = corpus_->origin().options;
  if (corpus_->has_source()) {
    result.ids.source = ids_of(tokenizers_.source.get(), corpus_->source_text(pair), random, limits.max_source_length,
                               corpus_->source_ids(pair), result.source);
  }
  result.ids.target = ids_of(tokenizers_.target.get(), corpus_->target_text(pair), random, limits.max_target_length,
                             corpus_->target_ids(pair), result.target);
  return result;
}

UpdateMaker::SampledPair UpdateMaker::encode_words(int64_t pair, RandomStream& random) const {
  SampledPair result{.source = {},
                     .target = {},
                     .ids = {.line = pair, .source = corpus_->source_ids(pair), .target = corpus_->target_ids(pair)}};
  if (!tokenizers_.source->samples()) return result;
  text::WordIds words = text::word_ids(*tokenizers_.source, corpus_->source_text(pair), &random);
  if (std::ssize(words.ids) > corpus_->origin().options.max_source_length) return result;
  result.target = spread_labels(words, tokenizers_.target->encode(corpus_->target_text(pair)));
  result.source = std::move(words.ids);
  result.ids.source = result.source;
  result.ids.target = result.target;
  return result;
}

}  // namespace heed::data
