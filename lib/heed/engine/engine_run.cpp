#include "heed/engine/engine_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "heed/core/error.h"

namespace heed::engine {

EngineRun::EngineRun(const Engine& engine)
    : engine_(engine),
      encoder_(engine.encoder() == nullptr ? nullptr : engine.encoder()->begin_run()),
      decoder_(engine.decoder().begin_run()) {}

int64_t EngineRun::max_length() const {
  const auto limit = engine_.max_target_length();
  return limit ? *limit - 1 : std::numeric_limits<int64_t>::max();  // the decoder reads bos too
}

void EngineRun::record_attention(AttentionRecord& record) {
  if (encoder_) encoder_->record_attention(record);
  decoder_->record_attention(record);
}

void EngineRun::start(const Sources& sources, int64_t beam, bool attention) {
  if (attention && !engine_.has_attention()) throw ConfigError("this model has no attention to show");
  beam_ = beam;
  wants_attention_ = attention;
  states_.clear();
  source_lengths_.clear();
  join(sources);
}

void EngineRun::join(const Sources& sources) {
  if (encoder_) encoder_->encode(sources, memory_);
  decoder_->start(sources, encoder_ ? &memory_ : nullptr, beam_, states_);
  for (int64_t i = 0; i < sources.sentences(); ++i) source_lengths_.push_back(sources.length(i));
}

const Rows& EngineRun::step(std::span<const int32_t> tokens) {
  return step(tokens, std::vector<int64_t>(states_.size(), beam_));
}

const Rows& EngineRun::step(std::span<const int32_t> tokens, std::span<const int64_t> live) {
  for (size_t i = 0; i < states_.size(); ++i) states_[i]->live = live[i];
  AttentionRows rows;
  if (wants_attention_) {
    columns_ = *std::ranges::max_element(source_lengths_);
    attention_.assign(tokens.size() * static_cast<size_t>(columns_), 0);
    rows = {.numbers = attention_.data(), .distance = columns_};
  }
  decoder_->step(tokens, states_, hidden_, rows);
  return hidden_;
}

void EngineRun::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
  SentenceStates kept;
  std::vector<int64_t> lengths;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto sentence = static_cast<size_t>(sentences[i]);
    kept.push_back(std::move(states_[sentence]));
    lengths.push_back(source_lengths_[sentence]);
    kept.back()->select(parents.subspan(i * static_cast<size_t>(beam_), static_cast<size_t>(beam_)));
  }
  states_ = std::move(kept);
  source_lengths_ = std::move(lengths);
}

}  // namespace heed::engine
