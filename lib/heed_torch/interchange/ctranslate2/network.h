// Reads from the variables of a CTranslate2 Transformer which network they describe
// (ctranslate2/specs/transformer_spec.py). Attributes, and which variables exist, determine the network.
#pragma once

#include "heed/architecture/architecture.h"
#include "heed/architecture/feed_forward_options.h"
#include "heed_torch/interchange/common/dimension_order.h"
#include "heed_torch/interchange/common/external_tensors.h"
#include "heed_torch/interchange/common/json_file.h"

namespace heed::interchange {

/// CTranslate2's numbers for heed's activations (its Activation). It has others that heed does not have: GELUTanh 1,
/// GELUSigmoid 4, Tanh 5.
constexpr int activation_number(nn::Activation activation) {
  switch (activation) {
    case nn::Activation::Relu:
      return 0;
    case nn::Activation::Silu:
      return 2;
    case nn::Activation::Gelu:
      return 3;
    case nn::Activation::Sigmoid:
      break;
  }
  return 6;
}

struct Network {
  models::ArchitectureOptions arch;  ///< the vocabularies determine ties and the output's bias
  DimensionOrder order;              ///< of the states, from CTranslate2's to heed's
  bool starts_from_zeros = false;    ///< the decoder's first input is a vector of zeros, as in Marian
};

/// config: config.json. Takes attributes, and position tables that heed computes itself. Throws CheckpointError if heed
/// has no such network.
Network read_network(ExternalTensors& variables, const JsonFile& config);

}  // namespace heed::interchange
