// The network that the variables of a CTranslate2 Transformer describe (ctranslate2/specs/transformer_spec.py): its
// form is told by attributes and by which variables there are.
#pragma once

#include "heed/architecture/architecture.h"
#include "heed/architecture/feed_forward_options.h"
#include "heed_torch/interchange/common/foreign_tensors.h"
#include "heed_torch/interchange/common/json_file.h"
#include "heed_torch/interchange/common/width_order.h"

namespace heed::interchange {

/// How CTranslate2 numbers heed's activations (its Activation); those of its others that heed has not: GELUTanh 1,
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
  models::ArchitectureOptions arch;  ///< ties and the output's bias are left to the vocabularies
  WidthOrder order;                  ///< of the states, from theirs to heed's
  bool starts_from_zeros = false;    ///< the decoder's first input is a vector of zeros, as Marian's
};

/// config: config.json. Attributes are taken, and position tables that heed makes anew. Throws CheckpointError where
/// heed has no such network.
Network read_network(ForeignTensors& variables, const JsonFile& config);

}  // namespace heed::interchange
