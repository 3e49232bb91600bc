#include "heed/training/update/update_computer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed/nn/losses/gradient_scale.h"
#include "heed/nn/random/random_scope.h"
#include "heed/training/training_clock.h"
#include "heed/training/update/part_clock.h"

namespace heed::training {

/// One call of compute(), as its replicas share it.
struct UpdateComputer::Run {
  const data::Update& update;
  const UpdateTerms& terms;
  double scale;     // of each part's loss
  PartRange share;  // of the parts, computed here
  GradientSum sum;
  std::vector<nn::LossSum> losses;  // of each part of the share
  std::vector<PartClock> clocks;    // likewise
  std::atomic<size_t> next_part;
};

UpdateComputer::UpdateComputer(const std::vector<Tensor>& parameters, std::vector<Replica> replicas,
                               const ComputingOptions& options, std::shared_ptr<distributed::RankGroup> ranks)
    : parameters_(parameters),
      replicas_(std::move(replicas)),
      options_(options),
      ranks_(std::move(ranks)),
      pool_(parameters),
      total_(pool_.take()),
      wanted_(options.wanted == GradientOf::All ? std::vector<FlatRange>{{.begin = 0, .end = total_->flat().numel()}}
                                                : owned_by(ranks_->rank(), ranks_->size(), total_->flat().numel())),
      exchange_(ranks_, options.gradients, options.wanted),
      threads_(static_cast<int64_t>(replicas_.size()),
               std::max<int64_t>(1, options.threads / static_cast<int64_t>(replicas_.size()))) {}

ComputedUpdate UpdateComputer::compute(const data::Update& update, const UpdateTerms& terms) {
  const auto start = Clock::now();
  const size_t parts = update.parts.size();
  const auto tokens = static_cast<double>(update.target_tokens);
  const double weight = update.weight();
  const PartRange share = share_of(parts, static_cast<size_t>(ranks_->rank()), static_cast<size_t>(ranks_->size()));
  pool_.give_back(std::move(total_));
  Run run{.update = update,
          .terms = terms,
          .scale = terms.loss_scale / weight,
          .share = share,
          .sum = GradientSum(pool_, share, parts, options_.gradients == distributed::GradientForm::Bf16),
          .losses = std::vector<nn::LossSum>(share.size()),
          .clocks = {},
          .next_part = share.begin};
  for (size_t part = 0; part < share.size(); ++part) run.clocks.emplace_back(options_.device);
  threads_.run([&](int64_t replica) { compute_parts(run, replica); });

  ComputedUpdate computed;
  finish_sum(run, computed);
  const Sums sums = read_sums(run);
  for (size_t part = 0; part < parts; ++part) {
    if (!std::isfinite(sums.loss[part])) computed.bad_parts.push_back(part);
    computed.loss += sums.loss[part] / weight;
    computed.nll += sums.nll[part] / tokens;
  }
  for (const PartClock& clock : run.clocks) {
    computed.forward_seconds += clock.forward_seconds();
    computed.backward_seconds += clock.backward_seconds();
  }
  computed.gradient_norm = sums.gradient_norm / terms.loss_scale;
  finish_gradient(computed, terms.loss_scale);
  const double spent = computed.forward_seconds + computed.backward_seconds;
  const double to_wall = spent > 0 ? (seconds_since(start) - computed.exchange_seconds) / spent : 0;
  computed.forward_seconds *= to_wall;
  computed.backward_seconds *= to_wall;
  return computed;
}

void UpdateComputer::compute_parts(Run& run, int64_t replica) {
  const PrecisionScope precision(options_.device.type(), options_.precision);
  for (size_t part = run.next_part++; part < run.share.end; part = run.next_part++) compute_part(run, replica, part);
}

void UpdateComputer::compute_part(Run& run, int64_t replica, size_t part) {
  const nn::RandomScope random(options_.seed, run.terms.number, part);
  const Replica& computing = replicas_[static_cast<size_t>(replica)];
  NodeSum gradient = run.sum.begin(part);
  gradient.gradient->attach(computing.parameters);
  const nn::GradientScale scaled(run.scale);
  PartClock& clock = run.clocks[part - run.share.begin];
  clock.mark();
  const nn::LossSum sum = computing.loss(run.update.parts[part], run.terms.teacher_forcing);
  clock.mark();
  run.losses[part - run.share.begin] = {.loss = sum.loss.detach(), .rows = {}, .nll = sum.nll};
  const AutocastPause pause(options_.device.type());
  sum.loss.backward(at::full_like(sum.loss, run.scale));
  clock.mark();
  const at::NoGradGuard no_grad;
  run.sum.end(std::move(gradient));
}

/// Of all parts of all ranks, as the gradient of the parameters.
void UpdateComputer::finish_sum(Run& run, ComputedUpdate& computed) {
  std::vector<NodeSum> sums = run.sum.take();
  if (!ranks_->alone()) {
    if (sums.empty()) sums.push_back({.node = {}, .gradient = pool_.take()});
    const double waited = exchange_.seconds_waited();
    const std::span<const NodeSum> own(sums.data(), run.share.size() > 0 ? sums.size() : 0);
    exchange_.sum(own, run.update.parts.size(), sums.front().gradient->flat());
    computed.exchange_seconds = exchange_.seconds_waited() - waited;
  }
  total_ = std::move(sums.front().gradient);
  for (size_t i = 1; i < sums.size(); ++i) pool_.give_back(std::move(sums[i].gradient));
  total_->attach(parameters_);
}

UpdateComputer::Sums UpdateComputer::read_sums(const Run& run) {
  const at::NoGradGuard no_grad;
  std::vector<Tensor> sums{total_norm()};
  for (const nn::LossSum& part : run.losses) {
    sums.push_back(part.loss.to(at::kDouble));
    sums.push_back(part.nll.to(at::kDouble));
  }
  const Tensor read = at::stack(sums).to(at::kCPU);
  const auto* values = read.const_data_ptr<double>();
  const size_t parts = run.update.parts.size();
  Sums all{.gradient_norm = *values++, .loss = std::vector<double>(parts, 0), .nll = std::vector<double>(parts, 0)};
  for (size_t part = run.share.begin; part < run.share.end; ++part) {
    all.loss[part] = *values++;
    all.nll[part] = *values++;
  }
  if (!ranks_->alone()) collect_losses(all);
  return all;
}

Tensor UpdateComputer::total_norm() {
  if (options_.wanted == GradientOf::All) return norm_of_chunks(chunk_norms(total_->flat()));
  const Tensor norms = at::zeros({total_->flat().numel() / kNormChunk}, total_->flat().options().dtype(at::kDouble));
  for (const FlatRange range : wanted_) {
    norms.narrow(0, range.begin / kNormChunk, range.size() / kNormChunk)
        .copy_(chunk_norms(total_->flat().narrow(0, range.begin, range.size())));
  }
  ranks_->add(norms);  // each is one rank's, and 0 elsewhere
  return norm_of_chunks(norms);
}

/// Each rank knows those of its parts; the others' are 0.
void UpdateComputer::collect_losses(Sums& sums) {
  const size_t parts = sums.loss.size();
  std::vector<double> both = sums.loss;
  both.insert(both.end(), sums.nll.begin(), sums.nll.end());
  both = ranks_->add(std::move(both));
  const auto half = both.begin() + static_cast<std::ptrdiff_t>(parts);
  sums.loss.assign(both.begin(), half);
  sums.nll.assign(half, both.end());
}

void UpdateComputer::finish_gradient(ComputedUpdate& computed, double loss_scale) {
  const at::NoGradGuard no_grad;
  computed.finite = computed.bad_parts.empty() && std::isfinite(computed.gradient_norm);
  if (!computed.finite) return;
  double factor = 1 / loss_scale;
  if (options_.clip_norm > 0 && computed.gradient_norm > options_.clip_norm) {
    factor *= options_.clip_norm / computed.gradient_norm;
  }
  if (factor == 1) return;
  for (const FlatRange range : wanted_) total_->flat().narrow(0, range.begin, range.size()).mul_(factor);
}

}  // namespace heed::training
