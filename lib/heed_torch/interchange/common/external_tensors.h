// The tensors of another toolkit's file, which are taken one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heed/core/options.h"
#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::interchange {

class ExternalTensors {
 public:
  ExternalTensors(std::string path, checkpoint::NamedTensors tensors);

  const std::string& path() const { return path_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// A size of the tensor; 0 if the tensor or the dimension is missing.
  int64_t size(const std::string& name, int64_t dimension) const;
  int64_t rows(const std::string& name) const { return size(name, 0); }

  /// The tensor in float32. Throws CheckpointError if it is missing, has another shape or dtype, or contains a number
  /// that is not finite.
  at::Tensor take(const std::string& name, const std::vector<int64_t>& shape);
  /// A single number of any dtype; `standard` if it is missing. Throws CheckpointError unless it is one number within
  /// the bounds.
  double number(const std::string& name, Bounds bounds, std::optional<double> standard = {});
  /// Whether the tensor exists and has integers.
  bool is_whole(const std::string& name) const;
  /// Marks a tensor that is not needed because it repeats another.
  void pass_over(const std::string& name);
  /// Throws CheckpointError if a tensor was neither taken nor passed over. whose: "a MarianMT model".
  void require_all_taken(const std::string& whose) const;

 private:
  std::string path_;
  checkpoint::NamedTensors tensors_;
  std::set<std::string> taken_;
};

}  // namespace heed::interchange
