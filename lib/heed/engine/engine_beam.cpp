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
  for (const search::SourceSentence& sentence : sentences) sources.add(sentence.ids);
  return sources;
}

}  // namespace

EngineBeam::EngineBeam(const Engine& engine) : engine_(engine), run_(engine), output_(engine.precision()) {}

int64_t EngineBeam::max_length() const {
  const auto limit = engine_.max_target_length();
  return limit ? *limit - 1 : BeamModel::max_length();  // the decoder reads bos as well
}

void EngineBeam::start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) {
  attention_ = attention;
  run_.start(sources_of(sources), beam, attention);
}

void EngineBeam::join(std::span<const search::SourceSentence> sources) { run_.join(sources_of(sources)); }

ChoiceRules EngineBeam::rules_for(const search::StepRequest& request) {
  barred_ = {text::kPad, text::kBos};
  if (!request.unknown) barred_.push_back(text::kUnk);
  barred_.push_back(text::kEos);
  without_end_.clear();
  for (const search::End end : request.ends) {
    without_end_.insert(without_end_.end(), static_cast<size_t>(run_.beam()), end == search::End::Barred ? 1 : 0);
  }
  return {.count = request.count,
          .barred = std::span(barred_).first(barred_.size() - 1),
          .barred_and_end = barred_,
          .end = text::kEos,
          .without_end = without_end_};
}

void EngineBeam::step(const search::StepRequest& request, search::Continuations& found) {
  const Rows& hidden = run_.step(request.tokens);
  if (attention_) {
    std::swap(found.attention, run_.attention());
    found.columns = run_.columns();
  }
  engine_.output().choose(hidden, rules_for(request), output_, choices_);
  std::swap(found.log_probabilities, choices_.log_probabilities);
  std::swap(found.tokens, choices_.tokens);
  force_ends(request, found);
}

/// Leaves end-of-sentence alone to the sentences that must end.
void EngineBeam::force_ends(const search::StepRequest& request, search::Continuations& found) const {
  found.ends_by_itself.assign(request.tokens.size(), 0);
  for (size_t row = 0; row < request.tokens.size(); ++row) {
    if (request.ends[row / static_cast<size_t>(run_.beam())] != search::End::Forced) continue;
    const auto first = static_cast<std::ptrdiff_t>(row) * request.count;
    found.ends_by_itself[row] = found.tokens[static_cast<size_t>(first)] == text::kEos ? 1 : 0;
    std::fill_n(found.log_probabilities.begin() + first, request.count, -std::numeric_limits<float>::infinity());
    found.log_probabilities[static_cast<size_t>(first)] = choices_.of_end[row];
    found.tokens[static_cast<size_t>(first)] = text::kEos;
  }
}

}  // namespace heed::engine
