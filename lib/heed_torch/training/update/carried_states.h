// The states that a recurrent language model carries from one window of a continuous text (data/batches/text_columns.h)
// to the next, by column, so that it does not matter who computes which columns.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "heed/data/corpus/batch.h"
#include "heed_torch/models/common/memory.h"

namespace heed::training {

using at::Tensor;

class CarriedStates {
 public:
  /// columns: of the text, at most.
  explicit CarriedStates(int64_t columns) : columns_(columns) {}

  /// The states after the window before, of the batch's rows; none where the text begins. The batch must be of a
  /// continuous text, here and below: batch.text says which columns.
  std::vector<models::CellState> before(const data::Batch& batch) const;
  /// Takes what the batch leaves. Safe from several threads, each with other columns.
  void after(const data::Batch& batch, const std::vector<models::CellState>& states);
  /// What was taken since the last time is what before() gives from now on.
  void advance() { present_.swap(next_); }
  /// In its place for an update of which nothing is to be kept: what was taken is forgotten, and where it began the
  /// text, so is what stood before it, of the text's former end.
  void forget(const data::Update& update);

  /// float [columns, d_hidden] each, by names such as "0/hidden" (layer, member); none before the first window.
  std::map<std::string, Tensor> tensors() const;
  /// Takes over saved ones, to `device`. Throws CheckpointError naming `path` where they are of other columns.
  void load(const std::map<std::string, Tensor>& saved, c10::Device device, const std::string& path);

 private:
  int64_t columns_;
  std::vector<models::CellState> present_;  // per layer, of all columns
  std::vector<models::CellState> next_;
  std::mutex mutex_;
};

}  // namespace heed::training
