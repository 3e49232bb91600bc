#include "heed/search/beam_search.h"

#include <algorithm>
#include <utility>

#include "heed/core/error.h"
#include "heed/search/beam_steps.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

BeamSearch::BeamSearch(BeamModel& model, const SearchOptions& options, Keep keep)
    : model_(model), options_(options), keep_(keep) {
  validate(options_);
}

void BeamSearch::admit(std::span<const SourceSentence> sources) {
  if (sources.empty()) return;
  if (sentences_.empty()) {
    model_.start(sources, options_.beam, keep_.attention);
    tokens_.clear();
  } else {
    model_.join(sources);
  }
  tokens_.insert(tokens_.end(), sources.size() * static_cast<size_t>(options_.beam), text::kBos);
  for (const SourceSentence& source : sources) {
    auto& sentence = sentences_.emplace_back(source.index, source.length(), options_);
    sentence.limit = std::min(sentence.limit, model_.max_length());
  }
}

std::vector<FinishedSentence> BeamSearch::advance() {
  check(!sentences_.empty(), "advance needs a sentence under way");
  const std::vector<End> ends = ends_of(sentences_, options_);
  const std::vector<int64_t> live = live_of(sentences_);
  const int64_t count = std::min(2 * options_.beam, model_.vocab_size());
  model_.step({.tokens = tokens_, .ends = ends, .live = live, .count = count, .unknown = options_.unknown}, found_);
  if (keep_.attention) keep_attention(found_, sentences_);
  note_ends(found_, ends, options_, sentences_);
  const auto candidates = pick_candidates(found_, sentences_);
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
