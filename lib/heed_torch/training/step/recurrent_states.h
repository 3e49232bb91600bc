// The states that a recurrent language model carries from one window of a continuous text
// (data/batches/continuous_text.h) to the next. They are kept per column, so it does not matter which replica or rank
// computes which columns.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/data/corpus/micro_batch.h"
#include "heed_torch/models/common/memory.h"

namespace heed::training {

using at::Tensor;

class RecurrentStates {
 public:
  /// columns: the maximum number of columns of the text.
  explicit RecurrentStates(int64_t columns) : columns_(columns) {}

  /// The states of the batch's rows after the previous window; empty at the beginning of the text. Here and below, the
  /// batch must be of a continuous text: batch.text says which columns.
  std::vector<models::CellState> before(const data::MicroBatch& batch) const;
  /// Stores the states after the batch. Safe from several threads if each has other columns.
  void after(const data::MicroBatch& batch, const std::vector<models::CellState>& states);
  /// From now on before() gives the states that were stored since the last advance().
  void advance() { present_.swap(next_); }
  /// Call it instead of advance() for a step that is skipped: discards the states that were stored. If the step
  /// began the text again, also discards the states before it, which belong to the previous end of the text.
  void forget(const data::StepBatch& step);

  /// float [columns, d_hidden] each, by names such as "0/hidden" (layer, member); empty before the first window.
  std::map<std::string, Tensor> tensors() const;
  /// Loads saved states to `device`. Throws CheckpointError naming `path` if they have other columns.
  void load(const std::map<std::string, Tensor>& saved, c10::Device device, const std::string& path);

 private:
  int64_t columns_;
  std::vector<models::CellState> present_;  // per layer, of all columns
  std::vector<models::CellState> next_;
  std::mutex mutex_;
};

}  // namespace heed::training
