// The tensors of another toolkit's file, taken one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

class ForeignTensors {
 public:
  ForeignTensors(std::string path, checkpoint::NamedTensors tensors);

  const std::string& path() const { return path_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// A size of the tensor; 0 of one that is missing or has no such dimension.
  int64_t size(const std::string& name, int64_t dimension) const;
  int64_t rows(const std::string& name) const { return size(name, 0); }
  /// How many numbers all of them have.
  int64_t numbers() const;

  /// The tensor in float32. Throws CheckpointError where it is missing, of another shape or dtype, or has a number that
  /// is not finite.
  at::Tensor take(const std::string& name, const std::vector<int64_t>& shape);
  /// A single number, whatever its dtype; `standard` where it is missing. Throws CheckpointError unless it is one
  /// within the bounds.
  double number(const std::string& name, Bounds bounds, std::optional<double> standard = {});
  /// Whether the tensor is there and has whole numbers.
  bool is_whole(const std::string& name) const;
  /// The tensor need not be used: it repeats another.
  void pass_over(const std::string& name);
  /// Throws CheckpointError where a tensor was neither taken nor passed over. whose: "a MarianMT model".
  void require_all_taken(const std::string& whose) const;

 private:
  std::string path_;
  checkpoint::NamedTensors tensors_;
  std::set<std::string> taken_;
};

}  // namespace heed::interchange
