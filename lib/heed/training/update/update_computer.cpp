#include "heed/training/update/update_computer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>

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
  double scale;                     // of each part's loss
  std::vector<nn::LossSum> losses;  // of each part
  std::vector<PartClock> clocks;    // of each part
  std::atomic<size_t> next_part{0};

  std::mutex mutex{};
  std::condition_variable turn{};
  size_t added = 0;     // parts
  bool failed = false;  // a replica threw: nobody shall wait for it
};

UpdateComputer::UpdateComputer(const std::vector<Tensor>& parameters, std::vector<Replica> replicas,
                               const ComputingOptions& options)
    : replicas_(std::move(replicas)),
      options_(options),
      total_(parameters),
      threads_(static_cast<int64_t>(replicas_.size()),
               std::max<int64_t>(1, options.threads / static_cast<int64_t>(replicas_.size()))) {
  if (replicas_.size() == 1) return;
  for (const Replica& replica : replicas_) own_.emplace_back(replica.parameters);
}

ComputedUpdate UpdateComputer::compute(const data::Update& update, const UpdateTerms& terms) {
  const auto start = Clock::now();
  const size_t parts = update.parts.size();
  const auto tokens = static_cast<double>(update.target_tokens);
  Run run{.update = update,
          .terms = terms,
          .scale = terms.loss_scale / tokens,
          .losses = std::vector<nn::LossSum>(parts),
          .clocks = {}};
  for (size_t part = 0; part < parts; ++part) run.clocks.emplace_back(options_.device);
  total_.zero();
  threads_.run([&](int64_t replica) { compute_parts(run, replica); });

  const Sums sums = read_sums(run);
  ComputedUpdate computed;
  for (size_t part = 0; part < parts; ++part) {
    if (!std::isfinite(sums.loss[part])) computed.bad_parts.push_back(part);
    computed.loss += sums.loss[part] / tokens;
    computed.nll += sums.nll[part] / tokens;
    computed.forward_seconds += run.clocks[part].forward_seconds();
    computed.backward_seconds += run.clocks[part].backward_seconds();
  }
  computed.gradient_norm = sums.gradient_norm / terms.loss_scale;
  finish_gradient(computed, terms.loss_scale);
  const double to_wall = seconds_since(start) / (computed.forward_seconds + computed.backward_seconds);
  computed.forward_seconds *= to_wall;
  computed.backward_seconds *= to_wall;
  return computed;
}

void UpdateComputer::compute_parts(Run& run, int64_t replica) {
  const PrecisionScope precision(options_.device.type(), options_.precision);
  try {
    for (size_t part = run.next_part++; part < run.update.parts.size(); part = run.next_part++) {
      compute_part(run, replica, part);
      if (!own_.empty()) add_in_order(run, replica, part);
    }
  } catch (...) {
    const std::lock_guard lock(run.mutex);
    run.failed = true;
    run.turn.notify_all();
    throw;
  }
}

void UpdateComputer::compute_part(Run& run, int64_t replica, size_t part) {
  const nn::RandomScope random(options_.seed, run.terms.number, part);
  if (!own_.empty()) own_[static_cast<size_t>(replica)].zero();
  const nn::GradientScale scaled(run.scale);
  PartClock& clock = run.clocks[part];
  clock.mark();
  const nn::LossSum sum =
      replicas_[static_cast<size_t>(replica)].loss(run.update.parts[part], run.terms.teacher_forcing);
  clock.mark();
  run.losses[part] = {.loss = sum.loss.detach(), .rows = {}, .nll = sum.nll};
  const AutocastPause pause(options_.device.type());
  sum.loss.backward(at::full_like(sum.loss, run.scale));
  clock.mark();
}

void UpdateComputer::add_in_order(Run& run, int64_t replica, size_t part) {
  std::unique_lock lock(run.mutex);
  run.turn.wait(lock, [&] { return run.failed || run.added == part; });
  if (run.failed) return;
  lock.unlock();
  total_.flat().add_(own_[static_cast<size_t>(replica)].flat());
  lock.lock();
  ++run.added;
  run.turn.notify_all();
}

UpdateComputer::Sums UpdateComputer::read_sums(const Run& run) {
  const at::NoGradGuard no_grad;
  std::vector<Tensor> sums{at::linalg_vector_norm(total_.flat()).to(at::kDouble)};
  for (const nn::LossSum& part : run.losses) {
    sums.push_back(part.loss.to(at::kDouble));
    sums.push_back(part.nll.to(at::kDouble));
  }
  const Tensor read = at::stack(sums).to(at::kCPU);
  const auto* values = read.const_data_ptr<double>();
  Sums all{.gradient_norm = *values++};
  for (size_t part = 0; part < run.losses.size(); ++part) {
    all.loss.push_back(*values++);
    all.nll.push_back(*values++);
  }
  return all;
}

void UpdateComputer::finish_gradient(ComputedUpdate& computed, double loss_scale) {
  const at::NoGradGuard no_grad;
  computed.finite = computed.bad_parts.empty() && std::isfinite(computed.gradient_norm);
  if (!computed.finite) return;
  double factor = 1 / loss_scale;
  if (options_.clip_norm > 0 && computed.gradient_norm > options_.clip_norm) {
    factor *= options_.clip_norm / computed.gradient_norm;
  }
  if (factor != 1) total_.flat().mul_(factor);
}

}  // namespace heed::training
