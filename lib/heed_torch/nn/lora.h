// LoRA, low-rank adaptation (Hu et al. 2021, https://arxiv.org/abs/2106.09685, section 4.1). The trained weight W0 is
// frozen; training changes the product of two narrow matrices that is added to it:
//   y = x W0^T + b + (alpha / r) dropout(x) A^T B^T       A: [r, in], B: [out, r]
// B starts as zeros, so that the first y is bit-identical to the trained layer's. A starts as N(0, 1 / in); the paper
// says only "random Gaussian". After training both become one matrix, W = W0 + (alpha / r) B A.
//
// An adapted Linear keeps W0 in the buffer `lora.base`, and its `weight` is the merged W. It is recomputed when the
// module is switched to evaluation, so that an ordinary model is validated, saved and exported.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "heed/architecture/lora_options.h"
#include "heed_torch/nn/initialization.h"

namespace heed::nn {

/// The linear layer that is adapted.
struct AdaptedMap {
  int64_t in;
  int64_t width;                 ///< output width of one stacked projection; outputs are concatenated
  int64_t stacked;               ///< number of stacked projections
  std::vector<int64_t> adapted;  ///< indices of the projections with an update, in ascending order
};

class LoraImpl : public torch::nn::Module, public Initialized {
 public:
  LoraImpl(const LoraOptions& options, const AdaptedMap& map);

  /// The update's term of y. x: float [..., in] -> float [..., stacked * width]; zeros for projections without an
  /// update.
  Tensor forward(const Tensor& x);
  /// Sets `weight` [stacked * width, in] to the merged W.
  void merge_into(const Tensor& weight) const;
  void initialize(Initializer& values) override;
  const LoraOptions& options() const { return options_; }

  Tensor down;  ///< A, for all adapted projections, stacked: [adapted * r, in]
  Tensor up;    ///< B, likewise: [adapted * width, r]
  Tensor base;  ///< W0 [stacked * width, in], a buffer

 private:
  Tensor down_of(int64_t i) const;
  Tensor up_of(int64_t i) const;

  LoraOptions options_;
  AdaptedMap map_;
};
TORCH_MODULE(Lora);

/// The interface of a module with projections that LoRA can adapt.
class LoraHost {
 public:
  virtual ~LoraHost() = default;
  /// Adapts the projections that the options name; returns their number.
  virtual int64_t add_lora(const LoraOptions& options) = 0;
};

/// Adapts the projections that the options name in all of `model`, and freezes all parameters that the model had
/// before. A holder must own `model`. Returns the number of adapted projections. The new matrices and bases have no
/// values yet: see nn::initialize and keep_lora_bases.
int64_t add_lora(torch::nn::Module& model, const LoraOptions& options);
/// Makes the present weights the bases.
void keep_lora_bases(torch::nn::Module& model);
/// Recomputes the weights of adapted layers.
void merge_lora(torch::nn::Module& model);
/// Removes the updates and leaves an ordinary model with its present weights. To keep the updates, merge first.
void remove_lora(torch::nn::Module& model);
/// The options that the model was adapted with; absent if it was not adapted.
std::optional<LoraOptions> lora_of(const torch::nn::Module& model);
/// Whether a parameter or buffer with this name belongs to LoRA and not to the ordinary model.
bool is_of_lora(std::string_view name);

}  // namespace heed::nn
