// Minimum risk training (Shen et al. 2016, https://arxiv.org/abs/1512.02433). For a sentence x with K sampled
// translations y_k, whose risks are r_k in a metric with the reference,
//   L(x) = sum_k Q_k r_k,    Q_k = p(y_k | x)^alpha / sum_j p(y_j | x)^alpha.
// The gradient is that of weighted negative log-likelihoods of the samples:
//   dL / d(-log p(y_k | x)) = -alpha Q_k (r_k - L(x)).
// So samples with a lower risk than the others become more probable.
#pragma once

#include <memory>

#include "heed/data/corpus/micro_batch.h"
#include "heed/metrics/metric.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/models/model.h"
#include "heed_torch/training/step/minimum_risk_options.h"

namespace heed::training {

/// What computes the risks of translations.
struct MinimumRisk {
  SampledRisk options;
  std::shared_ptr<const metrics::Metric> metric;
  std::shared_ptr<const text::Tokenizer> tokenizer;  ///< of the target
};
/// Null if the options are none.
std::shared_ptr<const MinimumRisk> make_minimum_risk(const MinimumRiskOptions& options,
                                                     std::shared_ptr<const text::Tokenizer> tokenizer);

struct RiskBatch {
  data::MicroBatch samples;  ///< the sampled translations, K of each sentence; their weights are the gradient above,
                             ///< times target tokens and weight of the sentence
  double risk = 0;           ///< sum over sentences of L(x), times the same
};

/// Samples translations of the sentences of `batch` and measures their risks. The model samples in evaluation mode,
/// without gradient. source: that of the batch, on the model's device. Draws from the open nn::RandomScope.
RiskBatch sample_risks(models::Model& model, const models::Source& source, const data::MicroBatch& batch,
                       const MinimumRisk& risk);

}  // namespace heed::training
