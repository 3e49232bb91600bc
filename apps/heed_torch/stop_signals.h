// SIGINT and SIGTERM: a training saves its state and stops.
#pragma once

#include "heed_torch/training/stopping.h"

namespace heed::apps {

/// From now on SIGINT and SIGTERM come to a thread of their own and interrupt no other: a handler on the stack of a
/// thread that is within oneDNN's products makes them overwrite memory (heed_torch/nn/products/gemm.h). To be called
/// before other threads are started. The first signal while a training runs asks it to stop; any other ends the
/// program.
void receive_stop_signals();
/// A training runs from now on; returns what the first signal asks.
training::StopRequest& begin_stoppable_training();

}  // namespace heed::apps
