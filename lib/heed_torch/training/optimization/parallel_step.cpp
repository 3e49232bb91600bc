#include "heed_torch/training/optimization/parallel_step.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

namespace heed::training {
namespace {

/// The size of a call, in numbers.
int64_t call_size(const std::vector<Tensor>& parameters) {
  constexpr int64_t kCallsPerThread = 8, kLeast = 1 << 15, kUnit = 64;
  int64_t all = 0;
  for (const Tensor& parameter : parameters) all += parameter.numel();
  const int64_t threads = at::get_num_threads();
  if (threads == 1 || !parameters[0].is_cpu()) return all;
  return (std::max(kLeast, all / (kCallsPerThread * threads)) + kUnit - 1) / kUnit * kUnit;
}

std::vector<ParameterPieces> divided(const std::vector<Tensor>& parameters) {
  const int64_t size = call_size(parameters);
  std::vector<ParameterPieces> calls;
  ParameterPieces pieces;
  int64_t room = size;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const int64_t numbers = parameters[i].numel();
    const int64_t most = parameters[i].is_contiguous() ? size : numbers;
    for (int64_t begin = 0; begin < numbers; begin += most) {
      const int64_t end = std::min(begin + most, numbers);
      pieces.add(i, begin, end);
      room -= end - begin;
      if (room > 0) continue;
      calls.push_back(std::exchange(pieces, {}));
      room = size;
    }
  }
  if (pieces.size() > 0) calls.push_back(std::move(pieces));
  return calls;
}

}  // namespace

std::vector<Tensor> ParameterPieces::of(const std::vector<Tensor>& tensors) const {
  std::vector<Tensor> pieces;
  if (tensors.empty()) return pieces;
  for (const auto& [parameter, begin, end] : pieces_) {
    const Tensor& whole = tensors[parameter];
    const bool all = end - begin == whole.numel();
    pieces.push_back(all ? whole : whole.view({-1}).narrow(0, begin, end - begin));
  }
  return pieces;
}

void call_in_parallel(size_t count, bool on_cpu, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  const int threads = on_cpu ? at::get_num_threads() : 1;
  const auto take = [&] {
    const at::NoGradGuard no_grad;            // each thread has its own setting
    if (threads > 1) at::set_num_threads(1);  // and its own number of OpenMP threads
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::future<void>> others;
  for (int i = 1; i < threads; ++i) others.push_back(std::async(std::launch::async, take));
  take();
  for (std::future<void>& other : others) other.get();
  if (threads > 1) at::set_num_threads(threads);
}

void step_in_parallel(const std::vector<Tensor>& parameters, const std::function<void(const ParameterPieces&)>& step) {
  const std::vector<ParameterPieces> calls = divided(parameters);
  if (calls.size() == 1) return step(calls[0]);
  call_in_parallel(calls.size(), /*on_cpu=*/true, [&](size_t i) { step(calls[i]); });
}

}  // namespace heed::training
