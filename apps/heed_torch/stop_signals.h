// Handles SIGINT and SIGTERM: a training saves its state and stops.
#pragma once

#include <functional>

#include "heed_torch/training/stopping.h"

namespace heed::apps {

/// Directs SIGINT and SIGTERM to a separate thread, so that they interrupt no other. A handler on the stack of a thread
/// inside oneDNN's matrix multiplications makes them overwrite memory (heed_torch/nn/products/gemm.h). Call it before
/// other threads are started. The first signal during a training asks it to stop; any other ends the program.
void receive_stop_signals();
/// Sets what is done before a signal ends the program, in the thread that receives it; empty: nothing.
void before_ending(std::function<void()> action);
/// Call it when a training starts. The first signal sets the returned request.
training::StopRequest& stop_request_for_training();

}  // namespace heed::apps
