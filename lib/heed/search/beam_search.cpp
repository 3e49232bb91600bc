#include "heed/search/beam_search.h"

#include <algorithm>
#include <utility>

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/search/beam_steps.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

Tensor source_matrix(std::span<const SourceSentence> sources) {
  size_t longest = 0;
  for (const SourceSentence& source : sources) longest = std::max(longest, source.ids.size());
  const auto columns = static_cast<int64_t>(longest) + 1;
  Tensor matrix = at::full({static_cast<int64_t>(sources.size()), columns}, text::kPad, at::kLong);
  auto* row = matrix.mutable_data_ptr<int64_t>();
  for (const SourceSentence& source : sources) {
    *std::ranges::copy(source.ids, row).out = text::kEos;
    row += columns;
  }
  return matrix;
}

BeamSearch::BeamSearch(StepModel& model, const SearchOptions& options, Keep keep)
    : model_(model), options_(options), keep_(keep) {
  validate(options_);
}

void BeamSearch::admit(std::span<const SourceSentence> sources) {
  if (sources.empty()) return;
  const c10::InferenceMode guard;
  const Tensor first = at::full({static_cast<int64_t>(sources.size()), options_.beam}, text::kBos, at::kLong);
  const Tensor matrix = source_matrix(sources);
  if (sentences_.empty()) {
    model_.start(matrix, options_.beam, keep_.attention);
    tokens_ = first;
  } else {
    model_.join(matrix);
    tokens_ = at::cat({tokens_, first});
  }
  for (const SourceSentence& source : sources) {
    auto& sentence = sentences_.emplace_back(source.index, static_cast<int64_t>(source.ids.size()), options_);
    sentence.limit = std::min(sentence.limit, model_.max_length());
  }
}

std::vector<FinishedSentence> BeamSearch::advance() {
  check(!sentences_.empty(), "advance needs a sentence under way");
  const c10::InferenceMode guard;
  const StepScores scores = model_.step(tokens_);
  if (keep_.attention && !scores.attention.defined()) throw ConfigError("this model has no attention to show");
  const Tensor ends = adjust_scores(scores.logits, sentences_, options_);
  const HostScores read = read_scores(scores, ends, keep_.attention);
  if (keep_.attention) keep_attention(read, sentences_);
  note_ends(read, sentences_, options_.min_length);
  const auto candidates = pick_candidates(read, sentences_);
  const auto going_on = retire_finished(sentences_, candidates, options_, keep_);
  auto finished = take_finished(going_on);
  tokens_ = reorder(model_, sentences_, candidates, going_on);
  return finished;
}

std::vector<FinishedSentence> BeamSearch::take_finished(const std::vector<bool>& going_on) {
  std::vector<FinishedSentence> finished;
  for (size_t i = 0; i < going_on.size(); ++i) {
    if (going_on[i]) continue;
    if (sentences_[i].finished.empty()) throw Error("the model gives every token probability 0");
    finished.push_back({sentences_[i].index, ranked(std::move(sentences_[i].finished), options_.n_best)});
  }
  return finished;
}

}  // namespace heed::search
