// The options of a training on several ranks: the section `[distributed]`.
#pragma once

#include <array>
#include <utility>

#include "heed/core/options.h"

namespace heed::distributed {

/// Whether to use what a launcher set in the environment.
enum class Launcher { Auto, None };
constexpr auto option_names(Launcher) {
  return std::array{std::pair{Launcher::Auto, "auto"}, std::pair{Launcher::None, "none"}};
}

/// The number format in which ranks exchange sums of gradients. Bf16 rounds the gradient of every part and every sum of
/// them, even those that stay in a process. So the result does not depend on the number of ranks.
enum class GradientFormat { Fp32, Bf16 };
constexpr auto option_names(GradientFormat) {
  return std::array{std::pair{GradientFormat::Fp32, "fp32"}, std::pair{GradientFormat::Bf16, "bf16"}};
}

/// What sends tensors of a device from rank to rank; tensors of the host always use Gloo.
enum class Backend { Auto, Gloo };
constexpr auto option_names(Backend) {
  return std::array{std::pair{Backend::Auto, "auto"}, std::pair{Backend::Gloo, "gloo"}};
}

struct DistributedOptions {
  Launcher launcher = Launcher::Auto;
  Backend backend = Backend::Auto;
  GradientFormat gradients = GradientFormat::Fp32;
  bool shard_optimizer = true;  ///< ZeRO stage 1: each rank has a share of the optimizer's state and makes its step
  double timeout_seconds = 60;  ///< a rank that does not come, or is silent, for longer is lost
  bool operator==(const DistributedOptions&) const = default;
};
void describe(DistributedOptions& o, AnyOptionVisitor auto& visit) {
  visit("launcher", o.launcher,
        "auto: as many ranks (processes) train together as torchrun, Slurm or an MPI launcher started; "
        "none: this process trains by itself");
  visit("backend", o.backend,
        "auto: GPUs speak with NCCL, CPUs with Gloo; gloo: GPUs too, through the memory of their machines, which is "
        "slower and lets several ranks share one");
  visit("gradients", o.gradients,
        "number format of gradients between ranks; bf16 halves the bytes that are sent and rounds the "
        "gradient of every micro-batch, on one rank too");
  visit(
      "shard-optimizer", o.shard_optimizer,
      "each rank keeps the optimizer's state of only its share of the parameters and makes their step (ZeRO, stage 1); "
      "false: each makes the whole step, which sends less if gradients are bf16; no effect in one process");
  visit("timeout-seconds", o.timeout_seconds,
        "seconds after which a rank that does not start, or does not answer later, is lost, and the others end; no "
        "effect in one process",
        between(2, 86400));
}

}  // namespace heed::distributed
