// How many operators a training step starts on a device: each costs the host some microseconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "device/networks.h"
#include "heed_torch/config/presets.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/fake_device/events.h"

namespace heed::testing {
namespace {

using config::Preset;
using test_support::DeviceEvents;

/// The preset's network with narrow layers.
models::ArchitectureOptions narrow(Preset preset) {
  models::ArchitectureOptions options = config::preset_options(preset).arch;
  options.d_model = 64;
  return options;
}

/// The second step of Adam, of one micro-batch.
DeviceEvents watch_step(const models::ArchitectureOptions& options) {
  const auto device = compared_device();
  const auto model = make_model(options, device);
  model->train();
  const training::NamedParameters parameters = training::trainable_parameters(*model);
  std::vector<at::Tensor> tensors;
  for (const auto& [name, parameter] : parameters) tensors.push_back(parameter);
  training::GradientComputer computer(tensors, training::make_replicas(model, 1, device, {.label_smoothing = 0.1}),
                                      {.seed = 1, .device = device, .clip_norm = 1e-3, .threads = 1});
  const auto optimizer = training::make_optimizer(training::AdamOptions{}, parameters);
  const data::StepBatch batch = random_update(/*has_source=*/true, /*parts=*/1);
  for (uint64_t step = 1; step <= 2; ++step) {
    test_support::reset_device_events();
    computer.compute(batch, {.number = step});
    optimizer->step(0.001);
  }
  return test_support::device_events();
}

std::string most_frequent(const DeviceEvents& events) {
  std::vector<std::pair<int64_t, std::string>> counts;
  for (const auto& [name, count] : events.operators) counts.emplace_back(count, name);
  std::ranges::sort(counts, std::greater<>());
  std::ostringstream text;
  for (const auto& [count, name] : counts) text << count << " " << name << '\n';
  return text.str();
}

TEST(Operators, AStepStartsFew) {
  for (const auto& [preset, most] : std::vector<std::pair<Preset, int64_t>>{
           {Preset::TransformerTiny, 813}, {Preset::TransformerBase, 1165}, {Preset::RnnLuong, 1044}}) {
    const DeviceEvents events = watch_step(narrow(preset));
    EXPECT_LE(events.operator_count(), most) << most_frequent(events);
  }
}

}  // namespace
}  // namespace heed::testing
