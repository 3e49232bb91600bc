#include "heed_torch/training/step/minimum_risk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed/metrics/bleu/bleu.h"
#include "heed/metrics/chrf.h"
#include "heed/metrics/error_rates/error_rate.h"
#include "heed/metrics/ter/ter.h"
#include "heed_torch/nn/random/random_draw.h"
#include "heed_torch/translation/evaluation_mode.h"

namespace heed::training {
namespace {

using at::Tensor;

std::shared_ptr<const metrics::Metric> make_metric(RiskMetric metric) {
  switch (metric) {
    case RiskMetric::Bleu:
      return std::make_shared<metrics::Bleu>(metrics::BleuOptions{.effective_order = true});
    case RiskMetric::Chrf:
      return std::make_shared<metrics::Chrf>();
    case RiskMetric::Ter:
      return std::make_shared<metrics::Ter>();
    case RiskMetric::Wer:
      return std::make_shared<metrics::ErrorRate>(metrics::ErrorUnit::Words);
    case RiskMetric::Cer:
      break;
  }
  return std::make_shared<metrics::ErrorRate>(metrics::ErrorUnit::Characters);
}

bool is_score(RiskMetric metric) { return metric == RiskMetric::Bleu || metric == RiskMetric::Chrf; }

double risk_of(const MinimumRisk& risk, const std::string& hypothesis, const std::string& reference) {
  const double value = risk.metric->sentence_score(hypothesis, std::array{reference}).value / 100;
  return is_score(risk.options.metric) ? 1 - value : value;
}

struct Samples {
  Tensor tokens;           // int64 [S, K, length], on the CPU: ids, eos unless it was cut, padding
  Tensor log_probability;  // float64 [S, K], on the CPU
};

/// log_p without what cannot follow: padding and bos.
Tensor allowed(const Tensor& log_p) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Tensor scores = log_p.clone();
  for (const int64_t id : {text::kPad, text::kBos}) scores.select(-1, id).fill_(kNever);
  return scores;
}

Samples sample(models::Model& model, const models::Source& source, int64_t count, int64_t longest) {
  const models::Memory memory = model.encode(source);
  const auto state = model.decoder->start(&memory, count);
  const auto ids = memory.tokens.options();
  Tensor read = at::full({memory.sentences(), count}, text::kBos, ids);
  Tensor finished = at::zeros(read.sizes(), ids.dtype(at::kBool));
  Tensor log_probability = at::zeros(read.sizes(), ids.dtype(at::kDouble));
  std::vector<Tensor> tokens;
  for (int64_t position = 0; position < longest && !finished.all().item<bool>(); ++position) {
    const Tensor logits = model.logits(model.decoder->step(read, *state).hidden);
    const Tensor log_p = at::log_softmax(logits.to(at::kFloat), -1);               // [S, K, V]
    const Tensor next = at::argmax(allowed(log_p) + nn::gumbel_noise(log_p), -1);  // [S, K]
    const Tensor added = log_p.gather(2, next.unsqueeze(2)).squeeze(2).to(at::kDouble);
    log_probability += added.masked_fill(finished, 0);
    tokens.push_back(next.masked_fill(finished, text::kPad));
    finished = finished.logical_or(next == text::kEos);
    read = next;
  }
  return {.tokens = at::stack(tokens, 2).cpu().contiguous(), .log_probability = log_probability.cpu().contiguous()};
}

/// The ids of a row before eos.
text::Ids ids_of(const int64_t* row, int64_t length) {
  text::Ids ids;
  for (int64_t i = 0; i < length && row[i] != text::kEos && row[i] != text::kPad; ++i) {
    ids.push_back(static_cast<int32_t>(row[i]));
  }
  return ids;
}

int64_t tokens_of(const int64_t* row, int64_t length) {
  return std::count_if(row, row + length, [](int64_t id) { return id != text::kPad; });
}

/// A micro-batch with each sentence `count` times and no targets yet.
data::MicroBatch repeated(const data::MicroBatch& batch, int64_t count) {
  data::MicroBatch all;
  const int64_t sentences = batch.tokens().rows;
  all.source = {.rows = batch.source.columns > 0 ? sentences * count : 0, .columns = batch.source.columns, .ids = {}};
  all.vectors = batch.vectors;
  all.vectors.values.clear();
  all.vectors.shapes.clear();
  const size_t of_vectors =
      batch.vectors.shapes.empty() ? 0 : batch.vectors.values.size() / batch.vectors.shapes.size();
  for (int64_t sentence = 0; sentence < sentences; ++sentence) {
    const auto i = static_cast<size_t>(sentence);
    const auto row = batch.source.ids.begin() + sentence * batch.source.columns;
    const auto vectors = batch.vectors.values.begin() + static_cast<std::ptrdiff_t>(i * of_vectors);
    for (int64_t copy = 0; copy < count; ++copy) {
      all.source.ids.insert(all.source.ids.end(), row, row + batch.source.columns);
      all.vectors.values.insert(all.vectors.values.end(), vectors, vectors + static_cast<std::ptrdiff_t>(of_vectors));
      if (of_vectors > 0) all.vectors.shapes.push_back(batch.vectors.shapes[i]);
      all.lines.push_back(batch.lines[i]);
    }
  }
  all.source_tokens = batch.source_tokens * count;
  return all;
}

}  // namespace

std::shared_ptr<const MinimumRisk> make_minimum_risk(const MinimumRiskOptions& options,
                                                     std::shared_ptr<const text::Tokenizer> tokenizer) {
  const auto* sampled = std::get_if<SampledRisk>(&options.type);
  if (sampled == nullptr) return nullptr;
  return std::make_shared<MinimumRisk>(
      MinimumRisk{.options = *sampled, .metric = make_metric(sampled->metric), .tokenizer = std::move(tokenizer)});
}

RiskBatch sample_risks(models::Model& model, const models::Source& source, const data::MicroBatch& batch,
                       const MinimumRisk& risk) {
  const at::NoGradGuard no_grad;
  const translation::EvaluationMode evaluation(model);
  const data::IdMatrix& target = batch.tokens();
  const int64_t count = risk.options.samples;
  // A sample is at most about twice as long as the longest reference; the decoder does not read its last token.
  const int64_t longest =
      std::min(2 * target.columns + 10, model.max_target_length().value_or(target.columns * 2 + 10));
  const Samples samples = sample(model, source, count, longest);
  const int64_t length = samples.tokens.size(2);
  const auto* tokens = samples.tokens.const_data_ptr<int64_t>();
  const Tensor q = at::softmax(samples.log_probability * risk.options.sharpness, 1);
  RiskBatch made{.samples = repeated(batch, count), .risk = 0};
  data::IdMatrix ids{.rows = target.rows * count, .columns = length + 1, .ids = {}};
  for (int64_t sentence = 0; sentence < target.rows; ++sentence) {
    const int64_t* reference = target.ids.data() + sentence * target.columns + 1;
    const std::string wanted = risk.tokenizer->decode(ids_of(reference, target.columns - 1));
    std::vector<double> risks;
    double expected = 0;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t* row = tokens + (sentence * count + k) * length;
      ids.ids.push_back(text::kBos);
      ids.ids.insert(ids.ids.end(), row, row + length);
      made.samples.target_tokens += tokens_of(row, length);
      risks.push_back(risk_of(risk, risk.tokenizer->decode(ids_of(row, length)), wanted));
      expected += q[sentence][k].item<double>() * risks.back();
    }
    double size = static_cast<double>(tokens_of(reference, target.columns - 1));
    if (!batch.weights.empty()) size *= batch.weights[static_cast<size_t>(sentence)];
    made.risk += expected * size;
    for (int64_t k = 0; k < count; ++k) {
      const double gradient =
          -risk.options.sharpness * q[sentence][k].item<double>() * (risks[static_cast<size_t>(k)] - expected);
      made.samples.weights.push_back(static_cast<float>(gradient * size));
    }
  }
  made.samples.target = data::TokenTargets{.ids = std::move(ids)};
  return made;
}

}  // namespace heed::training
