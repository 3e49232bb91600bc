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

EngineBeam::EngineBeam(const Engine& engine, const text::ShortList* short_list)
    : engine_(engine), short_list_(short_list), run_(engine), output_(engine.precision()) {}

void EngineBeam::start(std::span<const search::SourceSentence> sources, int64_t beam, bool attention) {
  attention_ = attention;
  run_.start(sources_of(sources), beam, attention);
  lists_.clear();
  add_lists(sources);
}

void EngineBeam::join(std::span<const search::SourceSentence> sources) {
  run_.join(sources_of(sources));
  add_lists(sources);
}

void EngineBeam::add_lists(std::span<const search::SourceSentence> sources) {
  if (short_list_ == nullptr) return;
  for (const search::SourceSentence& source : sources) lists_.push_back(short_list_->tokens_for(source.ids));
}

void EngineBeam::select(std::span<const int64_t> sentences, std::span<const int32_t> parents) {
  run_.select(sentences, parents);
  if (short_list_ == nullptr) return;
  std::vector<std::vector<int32_t>> kept;
  for (const int64_t sentence : sentences) kept.push_back(std::move(lists_[static_cast<size_t>(sentence)]));
  lists_ = std::move(kept);
}

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
  const ChoiceRules rules = rules_for(request);
  if (short_list_ == nullptr) {
    engine_.output().choose(hidden, rules, output_, choices_);
  } else {
    engine_.output().choose(hidden, lists_, rules, output_, choices_);
  }
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
