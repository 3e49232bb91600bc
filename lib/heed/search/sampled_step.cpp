#include "heed/search/sampled_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/search/drawing.h"
#include "heed/search/repetition.h"
#include "heed/text/tokenizer.h"

namespace heed::search {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

const SampleMethod& sampling_of(const SearchOptions& options) {
  const auto* method = std::get_if<SampleMethod>(&options.method);
  check(method != nullptr, "only sampling draws tokens");
  return *method;
}

}  // namespace

SampledStep::SampledStep(std::span<SentenceBeam> sentences, std::span<const End> ends, const StepRules& rules,
                         const SearchOptions& options)
    : sentences_(sentences),
      ends_(ends),
      rules_(rules),
      options_(options),
      method_(sampling_of(options)),
      candidates_(sentences.size()) {}

void SampledStep::take(size_t hypothesis, std::span<float> log_probabilities) {
  const auto beam = static_cast<size_t>(options_.beam);
  const size_t parent = hypothesis % beam, place = hypothesis / beam;
  SentenceBeam& sentence = sentences_[place];
  const LiveHypothesis& live = sentence.live.at(parent);
  std::vector<float> weights(log_probabilities.begin(), log_probabilities.end());
  exclude(hypothesis, weights);
  if (ends_[place] == End::Barred) weights[text::kEos] = kNever;
  if (options_.repetition_penalty != 1) {
    for (const int32_t token : distinct(tokens_of(sentence, parent))) {
      weights[static_cast<size_t>(token)] *= static_cast<float>(options_.repetition_penalty);
    }
  }
  const bool ends = ends_[place] == End::Forced;
  const auto may_follow = [](float weight) { return weight != kNever; };
  if (ends ? !may_follow(weights[text::kEos]) : std::ranges::none_of(weights, may_follow)) return;
  const bool all = live.group == kEveryGroup;
  const int32_t first = all ? 0 : live.group, last = all ? static_cast<int32_t>(options_.groups) : live.group + 1;
  for (int32_t sample = first; sample < last; ++sample) {
    draw(sentence, parent, sample, weights, log_probabilities, ends_[place]);
  }
}

/// Sets the weights of tokens that must not follow to kNever.
void SampledStep::exclude(size_t hypothesis, std::span<float> weights) const {
  std::vector<std::pair<int32_t, float>> asked;
  if (rules_.any()) {
    for (const int32_t token : rules_.asked.of(hypothesis)) {
      asked.emplace_back(token, weights[static_cast<size_t>(token)]);
    }
    if (rules_.asked_alone[hypothesis] != 0) std::ranges::fill(weights, kNever);
    for (const int32_t token : rules_.barred.of(hypothesis)) weights[static_cast<size_t>(token)] = kNever;
  }
  weights[text::kPad] = weights[text::kBos] = kNever;
  if (!options_.unknown) weights[text::kUnk] = kNever;
  for (const auto& [token, weight] : asked) weights[static_cast<size_t>(token)] = weight;
}

void SampledStep::draw(SentenceBeam& sentence, size_t parent, int32_t sample, std::span<const float> weights,
                       std::span<const float> log_probabilities, End end) {
  RandomStream random(static_cast<uint64_t>(method_.seed), Purpose::Search, sentence.random_key,
                      sentence.first_sample + static_cast<uint64_t>(sample));
  random.seek(static_cast<uint64_t>(sentence.generated()));
  int32_t token = draw_token(drawable(weights, method_.draw), random());
  if (end == End::Forced) {
    sentence.ends_by_itself[parent] = token == text::kEos;
    token = text::kEos;
  }
  const float log_probability = log_probabilities[static_cast<size_t>(token)];
  const double added = sentence.in_prompt() ? 0 : static_cast<double>(log_probability);
  const LiveHypothesis& live = sentence.live[parent];
  const double penalty = sentence.in_prompt() ? 0 : static_cast<double>(weights[static_cast<size_t>(token)]) - added;
  candidates_[static_cast<size_t>(&sentence - sentences_.data())].push_back(
      {.log_probability = live.log_probability + added,
       .token_log_probability = log_probability,
       .parent = static_cast<int32_t>(parent),
       .token = token,
       .penalty = live.penalty + (std::isfinite(penalty) ? penalty : 0),
       .group = sample});
}

std::vector<std::vector<Candidate>> SampledStep::candidates() {
  for (auto& of_sentence : candidates_) std::ranges::stable_sort(of_sentence, {}, &Candidate::group);
  return std::move(candidates_);
}

}  // namespace heed::search
