#include "heed/training/update/update_computer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "heed/nn/random_scope.h"
#include "heed/training/training_clock.h"

namespace heed::training {

/// One call of compute(), as its replicas share it.
struct UpdateComputer::Run {
  const data::Update& update;
  uint64_t number;
  double scale;                           // of each part's loss
  std::vector<nn::LossSum> losses;        // of each part
  std::vector<double> forward, backward;  // seconds of each part
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

ComputedUpdate UpdateComputer::compute(const data::Update& update, uint64_t number, double loss_scale) {
  const auto start = Clock::now();
  const size_t parts = update.parts.size();
  const auto tokens = static_cast<double>(update.target_tokens);
  Run run{.update = update,
          .number = number,
          .scale = loss_scale / tokens,
          .losses = std::vector<nn::LossSum>(parts),
          .forward = std::vector<double>(parts),
          .backward = std::vector<double>(parts)};
  total_.zero();
  threads_.run([&](int64_t replica) { compute_parts(run, replica); });

  ComputedUpdate computed;
  for (size_t part = 0; part < parts; ++part) {
    const double loss = run.losses[part].loss.item<double>();
    if (!std::isfinite(loss)) computed.bad_parts.push_back(part);
    computed.loss += loss / tokens;
    computed.nll += run.losses[part].nll.item<double>() / tokens;
    computed.forward_seconds += run.forward[part];
    computed.backward_seconds += run.backward[part];
  }
  finish_gradient(computed, loss_scale);
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
  const nn::RandomScope random(options_.seed, run.number, part);
  if (!own_.empty()) own_[static_cast<size_t>(replica)].zero();
  const auto start = Clock::now();
  const nn::LossSum sum = replicas_[static_cast<size_t>(replica)].loss(run.update.parts[part]);
  run.forward[part] = seconds_since(start);
  run.losses[part] = {.loss = sum.loss.detach(), .rows = {}, .nll = sum.nll};
  const AutocastPause pause(options_.device.type());
  sum.loss.backward(at::full_like(sum.loss, run.scale));
  run.backward[part] = seconds_since(start) - run.forward[part];
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

void UpdateComputer::finish_gradient(ComputedUpdate& computed, double loss_scale) {
  const at::NoGradGuard no_grad;
  computed.gradient_norm = at::linalg_vector_norm(total_.flat()).item<double>() / loss_scale;
  computed.finite = computed.bad_parts.empty() && std::isfinite(computed.gradient_norm);
  if (!computed.finite) return;
  double factor = 1 / loss_scale;
  if (options_.clip_norm > 0 && computed.gradient_norm > options_.clip_norm) {
    factor *= options_.clip_norm / computed.gradient_norm;
  }
  if (factor != 1) total_.flat().mul_(factor);
}

}  // namespace heed::training
