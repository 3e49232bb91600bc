#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include "heed/core/error.h"
#include "heed/text/sentencepiece/piece_text.h"
#include "heed/text/sentencepiece/sentence_piece_model.h"
#include "heed/text/vocabulary.h"
#include "heed/text/word_index.h"

namespace heed::text {
namespace {

using sentencepiece::SentencePieceProcessor;

/// Samples a candidate with probability proportional to exp(alpha * score).
const sentencepiece::ImmutableSentencePieceText& draw(
    const std::vector<sentencepiece::ImmutableSentencePieceText>& candidates, double alpha, RandomStream& random) {
  std::vector<double> weights;
  double total = 0;
  for (const auto& candidate : candidates) {  // the best is first, so no weight is above 1
    weights.push_back(std::exp(alpha * (double{candidate.score()} - double{candidates[0].score()})));
    total += weights.back();
  }
  double rest = random.uniform() * total;
  size_t drawn = 0;
  while (drawn + 1 < weights.size() && rest >= weights[drawn]) rest -= weights[drawn++];
  return candidates[drawn];
}

}  // namespace

SentencePieceTokenizer::SentencePieceTokenizer(const std::string& path, std::string model) {
  processor_ = load_processor(path, model);
  model_ = std::make_shared<const std::string>(std::move(model));
  number_pieces();
}

void SentencePieceTokenizer::number_pieces() {
  model_ids_ = {processor_->pad_id(), processor_->unk_id(), processor_->bos_id(), processor_->eos_id()};
  ids_.assign(static_cast<size_t>(processor_->GetPieceSize()), -1);
  for (size_t id = 0; id < model_ids_.size(); ++id) {
    if (model_ids_[id] >= 0) ids_[static_cast<size_t>(model_ids_[id])] = static_cast<int32_t>(id);
  }
  for (size_t model_id = 0; model_id < ids_.size(); ++model_id) {
    if (ids_[model_id] >= 0) continue;
    ids_[model_id] = static_cast<int32_t>(model_ids_.size());
    model_ids_.push_back(static_cast<int32_t>(model_id));
  }
  for (const int32_t model_id : model_ids_) texts_.push_back(model_id < 0 ? "" : text_of(*processor_, model_id));
  marks_word_ends_ = normalized("a").ends_with(kSpaceMark);
}

Ids SentencePieceTokenizer::numbered(const std::vector<int>& model_ids) const {
  Ids ids;
  ids.reserve(model_ids.size());
  for (const int model_id : model_ids) ids.push_back(ids_[static_cast<size_t>(model_id)]);
  return ids;
}

std::shared_ptr<SentencePieceTokenizer> SentencePieceTokenizer::sampler() const {
  if (!has_best_lists(*processor_)) {
    throw ConfigError("text.sampling", "needs a unigram tokenizer: this model's segmentations have no probabilities");
  }
  auto made = std::make_shared<SentencePieceTokenizer>(*this);
  made->nbest_.reset();
  made->lattice_.reset();
  return made;
}

std::shared_ptr<const Tokenizer> SentencePieceTokenizer::with(const NbestSampling& sampling) const {
  auto made = sampler();
  made->nbest_ = sampling;
  return made;
}

std::shared_ptr<const Tokenizer> SentencePieceTokenizer::with(const LatticeSampling& sampling) const {
  auto made = sampler();
  made->lattice_ = std::make_shared<const UnigramLattice>(*processor_);
  made->alpha_ = sampling.alpha;
  return made;
}

Ids SentencePieceTokenizer::encode(std::string_view line) const {
  std::vector<int> ids;
  const auto status = processor_->Encode(Prepared(line).view(), &ids);
  check(status.ok(), status.ToString());
  return numbered(ids);
}

/// The text after the model's normalization. The library gives it only piece by piece.
std::string SentencePieceTokenizer::normalized(std::string_view line) const {
  std::string text;
  const auto best = processor_->EncodeAsImmutableProto(Prepared(line).view());
  for (const auto& piece : best.pieces()) {
    const auto id = static_cast<int32_t>(piece.id());
    if (processor_->IsByte(id))
      text += text_of(*processor_, id);
    else
      text += piece.piece();
  }
  return text;
}

Ids SentencePieceTokenizer::sample(std::string_view line, RandomStream& random) const {
  if (lattice_) return numbered(lattice_->sample(normalized(line), alpha_, random));
  if (!nbest_) return encode(line);
  const Prepared prepared(line);
  const auto nbest = processor_->NBestEncodeAsImmutableProto(prepared.view(), static_cast<int>(nbest_->nbest));
  const auto candidates = nbest.nbests();
  if (candidates.empty()) return encode(line);
  std::vector<int> ids;
  for (const auto& piece : draw(candidates, nbest_->alpha, random).pieces())
    ids.push_back(static_cast<int>(piece.id()));
  return numbered(ids);
}

std::string SentencePieceTokenizer::decode(std::span<const int32_t> ids) const {
  std::vector<int> model_ids;
  for (const int32_t id : ids) {
    check(id >= 0 && id < size(), "no such vocabulary id");
    if (const int32_t model_id = model_ids_[static_cast<size_t>(id)]; model_id >= 0) model_ids.push_back(model_id);
  }
  std::string line;
  const auto status = processor_->Decode(model_ids, &line);
  check(status.ok(), status.ToString());
  std::ranges::replace(line, '\n', ' ');
  if (marks_word_ends_ && line.ends_with(' ')) line.pop_back();
  return line;
}

std::string SentencePieceTokenizer::piece(int32_t id) const {
  check(id >= 0 && id < size(), "no such vocabulary id");
  const int32_t model_id = model_ids_[static_cast<size_t>(id)];
  return model_id < 0 ? std::string(kSpecialNames[static_cast<size_t>(id)]) : processor_->IdToPiece(model_id);
}

std::vector<int64_t> SentencePieceTokenizer::words(std::span<const int32_t> ids) const {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const int32_t id : ids) {
    check(id >= 0 && id < size(), "no such vocabulary id");
    texts.push_back(texts_[static_cast<size_t>(id)]);
  }
  return word_index(texts);
}

LineWords SentencePieceTokenizer::line_words(std::string_view line) const { return piece_words(*processor_, line); }

}  // namespace heed::text
