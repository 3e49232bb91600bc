#include "heed_torch/training/step/recurrent_states.h"

#include <ATen/ATen.h>

#include "heed/core/error.h"

namespace heed::training {

using models::CellState;

namespace {

/// Calls visit(name, member) for each member that a state has.
template <class States, class Visit>
void each_member(States& states, Visit visit) {
  for (size_t i = 0; i < states.size(); ++i) {
    visit(std::to_string(i) + "/hidden", states[i].hidden);
    if (states[i].cell.defined()) visit(std::to_string(i) + "/cell", states[i].cell);
  }
}

}  // namespace

std::vector<CellState> RecurrentStates::before(const data::MicroBatch& batch) const {
  std::vector<CellState> states;
  if (batch.text->begins) return states;
  const auto rows = [&](const Tensor& x) {
    return x.defined() ? x.narrow(0, batch.text->column, batch.tokens().rows) : x;
  };
  for (const CellState& layer : present_) states.push_back({.hidden = rows(layer.hidden), .cell = rows(layer.cell)});
  return states;
}

void RecurrentStates::after(const data::MicroBatch& batch, const std::vector<CellState>& states) {
  const std::lock_guard lock(mutex_);
  const at::NoGradGuard no_grad;
  const auto room_for = [&](const Tensor& x) {
    return x.defined() ? at::zeros({columns_, x.size(1)}, x.options().dtype(at::kFloat)) : x;
  };
  if (next_.empty()) {
    for (const CellState& layer : states) next_.push_back({room_for(layer.hidden), room_for(layer.cell)});
  }
  const auto put = [&](const Tensor& all, const Tensor& x) {
    if (x.defined()) all.narrow(0, batch.text->column, batch.tokens().rows).copy_(x);
  };
  for (size_t i = 0; i < states.size(); ++i) {
    put(next_[i].hidden, states[i].hidden);
    put(next_[i].cell, states[i].cell);
  }
}

void RecurrentStates::forget(const data::StepBatch& step) {
  if (step.micro_batches.empty() || !step.micro_batches.front().text || !step.micro_batches.front().text->begins)
    return;
  present_.clear();
  next_.clear();
}

std::map<std::string, Tensor> RecurrentStates::tensors() const {
  std::map<std::string, Tensor> named;
  each_member(present_, [&](const std::string& name, const Tensor& x) { named[name] = x; });
  return named;
}

void RecurrentStates::load(const std::map<std::string, Tensor>& saved, c10::Device device, const std::string& path) {
  present_.clear();
  next_.clear();
  for (size_t layer = 0; saved.contains(std::to_string(layer) + "/hidden"); ++layer) {
    const auto member = [&](const std::string& name) {
      const auto found = saved.find(std::to_string(layer) + name);
      return found == saved.end() ? Tensor() : found->second.to(device);
    };
    present_.push_back({.hidden = member("/hidden"), .cell = member("/cell")});
    if (present_.back().hidden.size(0) == columns_) continue;
    throw CheckpointError(path, "holds the states of " + std::to_string(present_.back().hidden.size(0)) +
                                    " columns of text, expected " + std::to_string(columns_));
  }
}

}  // namespace heed::training
