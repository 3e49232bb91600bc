#include "heed_torch/nn/losses/crf.h"

#include <vector>

#include <ATen/ATen.h>

namespace heed::nn {
namespace {

/// The index of the last real word of each sentence: int64 [S, 1].
Tensor last_words(const Tensor& real) { return real.sum(1, /*keepdim=*/true) - 1; }

}  // namespace

CrfImpl::CrfImpl(int64_t labels)
    : transitions(register_parameter("transitions", at::zeros({labels, labels}))),
      begin(register_parameter("begin", at::zeros({labels}))),
      end(register_parameter("end", at::zeros({labels}))) {}

void CrfImpl::initialize(Initializer& values) {
  values.constant("transitions", transitions, 0);
  values.constant("begin", begin, 0);
  values.constant("end", end, 0);
}

Tensor CrfImpl::loss(const Tensor& scores, const Tensor& labels, const Tensor& real) {
  const int64_t words = scores.size(1);
  const Tensor weight = real.to(scores.scalar_type());
  // s(y) of the given labels
  Tensor given = begin.index_select(0, labels.select(1, 0)) +
                 (scores.gather(2, labels.unsqueeze(2)).squeeze(2) * weight).sum(1) +
                 end.index({labels.gather(1, last_words(real)).squeeze(1)});
  if (words > 1) {
    const Tensor pairs = transitions.index({labels.slice(1, 0, -1), labels.slice(1, 1)});  // [S, words - 1]
    given = given + (pairs * weight.slice(1, 1)).sum(1);
  }
  // log of the sum over all labelings; alpha[s, j] sums over those whose current word has label j
  Tensor alpha = begin + scores.select(1, 0);  // [S, labels]
  for (int64_t word = 1; word < words; ++word) {
    const Tensor next = at::logsumexp(alpha.unsqueeze(2) + transitions, {1}) + scores.select(1, word);
    alpha = at::where(real.select(1, word).unsqueeze(1), next, alpha);
  }
  return at::logsumexp(alpha + end, {1}) - given;
}

Tensor CrfImpl::best(const Tensor& scores, const Tensor& real) {
  const at::NoGradGuard no_grad;
  const int64_t words = scores.size(1);
  std::vector<Tensor> origins;  // for each later word, the best previous label for each label
  Tensor best = begin + scores.select(1, 0);
  for (int64_t word = 1; word < words; ++word) {
    const auto [value, origin] = (best.unsqueeze(2) + transitions).max(1);  // [S, labels]
    const Tensor going_on = real.select(1, word).unsqueeze(1);
    const Tensor itself = at::arange(best.size(1), origin.options()).expand_as(origin);
    origins.push_back(at::where(going_on, origin, itself));
    best = at::where(going_on, value + scores.select(1, word), best);
  }
  Tensor label = (best + end).argmax(1, /*keepdim=*/true);  // [S, 1]
  std::vector<Tensor> labels{label};
  for (auto origin = origins.rbegin(); origin != origins.rend(); ++origin) {
    label = origin->gather(1, label);
    labels.insert(labels.begin(), label);
  }
  return at::cat(labels, 1).masked_fill(real.bitwise_not(), 0);
}

// alpha_t[j] is the log of the sum over all labelings of the words up to t that end in j. beta_t[j] is that over the
// words after t, given j. exp(alpha_t + beta_t), normalized, is p(y_t = j).
Tensor CrfImpl::marginals(const Tensor& scores, const Tensor& real) {
  const at::NoGradGuard no_grad;
  const int64_t words = scores.size(1);
  std::vector<Tensor> sums{begin + scores.select(1, 0)};  // alpha at first, then alpha + beta: [S, labels] each
  for (int64_t word = 1; word < words; ++word) {
    sums.push_back(at::logsumexp(sums.back().unsqueeze(2) + transitions, {1}) + scores.select(1, word));
  }
  Tensor beta = end.expand_as(sums[0]);
  sums.back() = sums.back() + beta;
  for (int64_t word = words - 2; word >= 0; --word) {
    const Tensor behind = (beta + scores.select(1, word + 1)).unsqueeze(1);  // [S, 1, labels]
    const Tensor next = at::logsumexp(behind + transitions, {2});
    beta = at::where(real.select(1, word + 1).unsqueeze(1), next, end);
    sums[static_cast<size_t>(word)] = sums[static_cast<size_t>(word)] + beta;
  }
  return at::softmax(at::stack(sums, 1), 2);
}

}  // namespace heed::nn
