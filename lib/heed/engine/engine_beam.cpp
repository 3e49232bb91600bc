#include "heed/engine/engine_beam.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"

namespace heed::engine {
namespace {

Sources sources_of(std::span<const search::SourceSentence> sentences) {
  Sources sources;
  for (const search::SourceSentence& sentence : sentences) {
    sources.tokens.insert(sources.tokens.end(), sentence.ids.begin(), sentence.ids.end());
    sources.tokens.push_back(text::kEos);
    sources.begins.push_back(std::ssize(sources.tokens));
  }
  return sources;
}

}  // namespace

EngineBeam::EngineBeam(const Engine& engine)
    : engine_(engine),
      encoder_(engine.encoder() == nullptr ? nullptr : engine.encoder()->begin_run()),
      decoder_(engine.decoder().begin_run()),
      output_(engine.precision()) {}

int64_t EngineBeam::max_length() const {
  const auto limit = engine_.max_target_length();
  return limit ? *limit - 1 : BeamModel::max_length();  // the decoder reads bos as well
}

void EngineBeam::start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) {
  if (attention && !engine_.has_attention()) throw ConfigError("this model has no attention to show");
  beam_ = beam;
  attention_ = attention;
  states_.clear();
  source_lengths_.clear();
  join(sources);
}

void EngineBeam::join(std::span<const search::SourceSentence> sentences) {
  const Sources sources = sources_of(sentences);
  if (encoder_) encoder_->encode(sources, memory_);
  decoder_->start(sources, encoder_ ? &memory_ : nullptr, beam_, states_);
  for (int64_t i = 0; i < sources.sentences(); ++i) source_lengths_.push_back(sources.length(i));
}

ChoiceRules EngineBeam::rules_for(const search::StepRequest& request) {
  barred_ = {text::kPad, text::kBos};
  if (!request.unknown) barred_.push_back(text::kUnk);
  barred_.push_back(text::kEos);
  without_end_.clear();
  for (const search::End end : request.ends) {
    without_end_.insert(without_end_.end(), static_cast<size_t>(beam_), end == search::End::Barred ? 1 : 0);
  }
  return {.count = request.count,
          .barred = std::span(barred_).first(barred_.size() - 1),
          .barred_and_end = barred_,
          .end = text::kEos,
          .without_end = without_end_};
}

void EngineBeam::step(const search::StepRequest& request, search::Continuations& found) {
  AttentionRows attention;
  if (attention_) {
    found.columns = *std::ranges::max_element(source_lengths_);
    found.attention.assign(request.tokens.size() * static_cast<size_t>(found.columns), 0);
    attention = {.numbers = found.attention.data(), .distance = found.columns};
  }
  decoder_->step(request.tokens, states_, hidden_, attention);
  engine_.output().choose(hidden_, rules_for(request), output_, choices_);
  std::swap(found.log_probabilities, choices_.log_probabilities);
  std::swap(found.tokens, choices_.tokens);
  force_ends(request, found);
}

/// Leaves end-of-sentence alone to the sentences that must end.
void EngineBeam::force_ends(const search::StepRequest& request, search::Continuations& found) const {
  found.ends_by_itself.assign(request.tokens.size(), 0);
  for (size_t row = 0; row < request.tokens.size(); ++row) {
    if (request.ends[row / static_cast<size_t>(beam_)] != search::End::Forced) continue;
    const auto first = static_cast<std::ptrdiff_t>(row) * request.count;
    found.ends_by_itself[row] = found.tokens[static_cast<size_t>(first)] == text::kEos ? 1 : 0;
    std::fill_n(found.log_probabilities.begin() + first, request.count, -std::numeric_limits<float>::infinity());
    found.log_probabilities[static_cast<size_t>(first)] = choices_.of_end[row];
    found.tokens[static_cast<size_t>(first)] = text::kEos;
  }
}

void EngineBeam::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
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
