#include "heed_torch/training/step/gradient_computer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed/report/training_clock.h"
#include "heed_torch/nn/losses/gradient_scale.h"
#include "heed_torch/nn/random/random_scope.h"
#include "heed_torch/training/step/gradient/bucket_queue.h"
#include "heed_torch/training/step/micro_batch_timer.h"

namespace heed::training {

/// The data of one call of compute(), shared by its replicas.
struct GradientComputer::Run {
  const data::StepBatch& step;
  const StepInputs& terms;
  double scale;           // of each micro-batch's loss
  MicroBatchRange share;  // of the micro-batches, computed here
  GradientSum sum;
  BucketQueue complete;                 // buckets of the sum
  std::vector<nn::LossSum> losses;      // of each micro-batch of the share
  std::vector<MicroBatchTimer> clocks;  // of each micro-batch of the share
  std::atomic<size_t> next_micro_batch;
  nn::RoundedWeights weights{};
};

namespace {

/// The buckets of a gradient of this size, which go to other ranks one by one.
std::vector<FlatRange> buckets_for(const distributed::RankGroup& ranks, int64_t size) {
  return ranks.alone() ? std::vector<FlatRange>{{.begin = 0, .end = size}} : buckets_of(size);
}

std::vector<FlatRange> wanted_by(const distributed::RankGroup& ranks, GradientOf wanted, int64_t size) {
  if (wanted == GradientOf::All) return {{.begin = 0, .end = size}};
  return owned_by(ranks.rank(), ranks.size(), size);
}

/// The order in which a backward pass completes the buckets if the parameters are in the order of their use.
std::vector<size_t> from_the_last(size_t buckets) {
  std::vector<size_t> order(buckets);
  for (size_t i = 0; i < buckets; ++i) order[i] = buckets - 1 - i;
  return order;
}

/// Divides the step's seconds, without those of the exchange, in proportion to the micro-batches' passes. waited: the
/// time that backward passes spent waiting for other ranks; it is included in the micro-batches' clocks.
void share_out(double seconds, std::span<const MicroBatchTimer> micro_batches, double waited, StepResult& computed) {
  for (const MicroBatchTimer& clock : micro_batches) {
    computed.forward_seconds += clock.forward_seconds();
    computed.backward_seconds += clock.backward_seconds();
  }
  computed.backward_seconds = std::max(0.0, computed.backward_seconds - waited);
  const double spent = computed.forward_seconds + computed.backward_seconds;
  const double to_wall = spent > 0 ? (seconds - computed.exchange_seconds) / spent : 0;
  computed.forward_seconds *= to_wall;
  computed.backward_seconds *= to_wall;
}

}  // namespace

GradientComputer::GradientComputer(const std::vector<Tensor>& parameters, std::vector<Replica> replicas,
                                   const ComputingOptions& options, std::shared_ptr<distributed::RankGroup> ranks)
    : parameters_(parameters),
      replicas_(std::move(replicas)),
      options_(options),
      ranks_(std::move(ranks)),
      plan_(parameters, buckets_for(*ranks_, FlatLayout(parameters).size())),
      order_(from_the_last(plan_.buckets.size())),
      order_known_(ranks_->alone() || plan_.buckets.size() == 1),
      pool_(parameters),
      wanted_(wanted_by(*ranks_, options.wanted, plan_.buckets.back().end)),
      exchange_(ranks_, options.gradients, options.wanted),
      threads_(static_cast<int64_t>(replicas_.size()),
               std::max<int64_t>(1, options.threads / static_cast<int64_t>(replicas_.size()))) {}

StepResult GradientComputer::compute(const data::StepBatch& step, const StepInputs& terms) {
  const auto start = Clock::now();
  const size_t micro_batches = step.micro_batches.size();
  const auto tokens = static_cast<double>(step.target_tokens);
  const double weight = step.weight();
  const MicroBatchRange share =
      share_of(micro_batches, static_cast<size_t>(ranks_->rank()), static_cast<size_t>(ranks_->size()));
  total_.reset();
  Run run{.step = step,
          .terms = terms,
          .scale = terms.loss_scale / weight,
          .share = share,
          .sum = GradientSum(pool_, share, micro_batches, plan_.buckets,
                             options_.gradients == distributed::GradientFormat::Bf16),
          .complete = BucketQueue(order_, [&](size_t bucket) { exchange(run, bucket); }),
          .losses = std::vector<nn::LossSum>(share.size()),
          .clocks = {},
          .next_micro_batch = share.begin};
  for (size_t index = 0; index < share.size(); ++index) run.clocks.emplace_back(options_.device);
  const double waited = exchange_.seconds_waited();
  exchange_.begin(micro_batches);
  threads_.run([&](int64_t replica) { compute_micro_batches(run, replica); });
  const double waited_in_passes = exchange_.seconds_waited() - waited;
  finish_sum(run);
  StepResult computed;
  computed.exchange_seconds = exchange_.seconds_waited() - waited;
  const Sums sums = read_sums(run);
  for (size_t index = 0; index < micro_batches; ++index) {
    if (!std::isfinite(sums.loss[index])) computed.bad_micro_batches.push_back(index);
    computed.loss += sums.loss[index] / weight;
    computed.nll += sums.nll[index] / tokens;
  }
  computed.gradient_norm = sums.gradient_norm / terms.loss_scale;
  finish_gradient(computed, terms.loss_scale);
  share_out(seconds_since(start), run.clocks, waited_in_passes, computed);
  return computed;
}

void GradientComputer::compute_micro_batches(Run& run, int64_t replica) {
  const PrecisionScope precision(options_.device.type(), options_.precision, &run.weights);
  for (size_t index = run.next_micro_batch++; index < run.share.end; index = run.next_micro_batch++)
    compute_micro_batch(run, replica, index);
}

void GradientComputer::compute_micro_batch(Run& run, int64_t replica, size_t index) {
  const nn::RandomScope random(options_.seed, run.terms.number, index);
  const Replica& computing = replicas_[static_cast<size_t>(replica)];
  const NodeSum gradient = run.sum.begin(index);
  gradient.gradient->attach(computing.parameters);
  const nn::GradientScale scaled(run.scale);
  MicroBatchTimer& clock = run.clocks[index - run.share.begin];
  clock.mark();
  const nn::LossSum sum = computing.loss(run.step.micro_batches[index], run.terms);
  clock.mark();
  run.losses[index - run.share.begin] = {.loss = sum.loss.detach(), .rows = {}, .nll = sum.nll};
  const AutocastPause pause(options_.device.type());
  BucketHooks buckets(computing.parameters, plan_, [&](size_t bucket) { bucket_done(run, gradient, bucket); });
  sum.loss.backward(at::full_like(sum.loss, run.scale));
  clock.mark();
  const at::NoGradGuard no_grad;
  buckets.finish();
}

void GradientComputer::bucket_done(Run& run, const NodeSum& gradient, size_t bucket) {
  if (run.sum.end(gradient, bucket)) run.complete.complete(bucket);
}

/// Exchanges a bucket in which the sum of this rank's micro-batches is complete.
void GradientComputer::exchange(Run& run, size_t bucket) {
  const std::vector<NodeSum> own = run.sum.sums(bucket);
  if (!total_) total_ = own.empty() ? pool_.take() : own.front().gradient;
  if (!ranks_->alone()) exchange_.add(own, total_->flat(), plan_.buckets[bucket]);
}

/// Finishes the sum over all micro-batches of all ranks and makes it the gradient of the parameters.
void GradientComputer::finish_sum(Run& run) {
  if (run.share.size() == 0) {
    for (const size_t bucket : order_) run.complete.complete(bucket);
  }
  if (!ranks_->alone()) exchange_.finish();
  total_->attach(parameters_);
  if (!order_known_) keep_order(run.complete.completed());
}

/// From the next step on, buckets go in the order in which the passes of rank 0 completed them. So the embedding
/// table, which source and target may share, comes last wherever it is.
void GradientComputer::keep_order(const std::vector<size_t>& completed) {
  std::vector<double> order(completed.size(), 0);
  if (ranks_->leads()) std::ranges::copy(completed, order.begin());
  std::ranges::copy(ranks_->add(order), order_.begin());
  order_known_ = true;
}

GradientComputer::Sums GradientComputer::read_sums(const Run& run) {
  const at::NoGradGuard no_grad;
  std::vector<Tensor> sums{total_norm()};
  for (const nn::LossSum& index : run.losses) {
    sums.push_back(index.loss.to(at::kDouble));
    sums.push_back(index.nll.to(at::kDouble));
  }
  const Tensor read = at::stack(sums).to(at::kCPU);
  const auto* values = read.const_data_ptr<double>();
  const size_t micro_batches = run.step.micro_batches.size();
  Sums all{.gradient_norm = *values++,
           .loss = std::vector<double>(micro_batches, 0),
           .nll = std::vector<double>(micro_batches, 0)};
  for (size_t index = run.share.begin; index < run.share.end; ++index) {
    all.loss[index] = *values++;
    all.nll[index] = *values++;
  }
  if (!ranks_->alone()) collect_losses(all);
  return all;
}

Tensor GradientComputer::total_norm() {
  if (options_.wanted == GradientOf::All) return norm_of_chunks(chunk_norms(total_->flat()));
  const Tensor norms = at::zeros({total_->flat().numel() / kNormChunk}, total_->flat().options().dtype(at::kDouble));
  for (const FlatRange range : wanted_) {
    norms.narrow(0, range.begin / kNormChunk, range.size() / kNormChunk)
        .copy_(chunk_norms(total_->flat().narrow(0, range.begin, range.size())));
  }
  ranks_->add(norms);  // each norm is computed by one rank; the others add 0
  return norm_of_chunks(norms);
}

/// Sums the losses over the ranks: each rank knows those of its micro-batches and adds 0 for the others.
void GradientComputer::collect_losses(Sums& sums) {
  const size_t micro_batches = sums.loss.size();
  std::vector<double> both = sums.loss;
  both.insert(both.end(), sums.nll.begin(), sums.nll.end());
  both = ranks_->add(std::move(both));
  const auto half = both.begin() + static_cast<std::ptrdiff_t>(micro_batches);
  sums.loss.assign(both.begin(), half);
  sums.nll.assign(half, both.end());
}

void GradientComputer::finish_gradient(StepResult& computed, double loss_scale) {
  const at::NoGradGuard no_grad;
  computed.finite = computed.bad_micro_batches.empty() && std::isfinite(computed.gradient_norm);
  if (!computed.finite) return;
  double factor = 1 / loss_scale;
  if (options_.clip_norm > 0 && computed.gradient_norm > options_.clip_norm) {
    factor *= options_.clip_norm / computed.gradient_norm;
  }
  if (factor == 1) return;
  for (const FlatRange range : wanted_) total_->flat().narrow(0, range.begin, range.size()).mul_(factor);
}

}  // namespace heed::training
