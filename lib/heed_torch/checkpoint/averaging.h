// Averages the weights of several checkpoints (Junczys-Dowmunt et al. 2016, "The AMU-UEDIN submission to the WMT16 news
// translation task", section 2.4; Vaswani et al. 2017, section 6.1).
#pragma once

#include <span>
#include <string>

#include "heed_torch/checkpoint/named_tensors.h"

namespace heed::checkpoint {

/// The mean of each tensor over the files, summed in double precision, in the dtype of the first file. Integer tensors
/// must be equal in all files. Throws CheckpointError if names, shapes or dtypes differ.
NamedTensors average_tensors(std::span<const std::string> paths);

}  // namespace heed::checkpoint
