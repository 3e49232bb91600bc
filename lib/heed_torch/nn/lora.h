// LoRA, low-rank adaptation (Hu et al. 2021, https://arxiv.org/abs/2106.09685, section 4.1). A trained map W0 stays as
// it is, and training changes a product of two narrow matrices beside it:
//   y = x W0^T + b + (alpha / r) dropout(x) A^T B^T       A: [r, in], B: [out, r]
// B begins as zeros, so that the first y is the trained map's, to the bit, and A as N(0, 1 / in). (The paper says
// "random Gaussian" of A.) In the end they are one map again, W = W0 + (alpha / r) B A.
//
// An adapted Linear keeps W0 in the buffer `lora.base`, and its `weight` is the merged W: brought up to date whenever
// the module begins to evaluate, so that what is validated, saved and exported is an ordinary model.
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

/// The map that is adapted.
struct AdaptedMap {
  int64_t in;
  int64_t width;                 ///< of one of the stacked maps: their outputs stand side by side
  int64_t stacked;               ///< how many there are
  std::vector<int64_t> adapted;  ///< which of them have an update, in rising order
};

class LoraImpl : public torch::nn::Module, public Initialized {
 public:
  LoraImpl(const LoraOptions& options, const AdaptedMap& map);

  /// The update's share of y. x: float [..., in] -> float [..., stacked * width]; zeros for maps without one.
  Tensor forward(const Tensor& x);
  /// Makes `weight` [stacked * width, in] the merged W.
  void merge_into(const Tensor& weight) const;
  void initialize(Initializer& values) override;
  const LoraOptions& options() const { return options_; }

  Tensor down;  ///< A, of the adapted maps on top of each other: [adapted * r, in]
  Tensor up;    ///< B, likewise: [adapted * width, r]
  Tensor base;  ///< W0 [stacked * width, in], a buffer

 private:
  Tensor down_of(int64_t i) const;
  Tensor up_of(int64_t i) const;

  LoraOptions options_;
  AdaptedMap map_;
};
TORCH_MODULE(Lora);

/// What a module with maps that LoRA knows implements.
class LoraHost {
 public:
  virtual ~LoraHost() = default;
  /// Adapts those of its maps that the options name; gives their number.
  virtual int64_t add_lora(const LoraOptions& options) = 0;
};

/// Adapts the maps that the options name, wherever `model` (which a holder must own) has one, and freezes all that the
/// model had before. Gives their number. The matrices have no values yet, and the bases none: see nn::initialize and
/// keep_lora_bases.
int64_t add_lora(torch::nn::Module& model, const LoraOptions& options);
/// Takes the present weights as the bases.
void keep_lora_bases(torch::nn::Module& model);
/// Brings the weights of adapted maps up to date.
void merge_lora(torch::nn::Module& model);
/// Leaves an ordinary model with the weights that it has now: merged ones need a merge before.
void remove_lora(torch::nn::Module& model);
/// The options that a model was adapted with.
std::optional<LoraOptions> lora_of(const torch::nn::Module& model);
/// Whether a parameter or buffer of this name belongs to LoRA, and not to the ordinary model.
bool is_of_lora(std::string_view name);

}  // namespace heed::nn
