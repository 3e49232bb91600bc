// How often the host waits for the device, and copies to it.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "device/networks.h"
#include "heed/search/search_continuously.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "heed_torch/translation/ensemble_beam.h"
#include "support/fake_device/events.h"

namespace heed::testing {
namespace {

using test_support::describe;
using test_support::device_events;
using test_support::DeviceEvents;
using test_support::reset_device_events;

/// Where a search is watched: what happened from one step of it to the next.
class WatchedBeam : public translation::EnsembleBeam {
 public:
  using EnsembleBeam::EnsembleBeam;
  void step(const search::StepRequest& request, search::Continuations& found) override {
    if (steps++ > 0) seen.push_back(device_events());
    reset_device_events();
    EnsembleBeam::step(request, found);
  }
  int64_t steps = 0;
  std::vector<DeviceEvents> seen;  // of each step but the last, with what search does after it
};

translation::Ensemble ensemble_of(const models::ArchitectureOptions& options) {
  return {.device = compared_device(), .members = {make_model(options, compared_device())}};
}

std::vector<DeviceEvents> watch_search(const models::ArchitectureOptions& options, const search::SearchOptions& search,
                                       search::ReturnOptions keep = {}) {
  const std::vector<text::Ids> ids{{4, 5, 6, 7}, {8, 9}, {10, 11, 12}};
  std::vector<search::SourceSentence> sources;
  for (size_t i = 0; i < ids.size(); ++i) sources.push_back({static_cast<int64_t>(i), ids[i]});
  WatchedBeam beam(ensemble_of(options));
  const search::Room room{.sentences = 3, .tokens = 1000, .refill = 1};
  search::search_continuously(beam, search, keep, room, sources, [](const search::FinishedSentence&) {});
  EXPECT_GT(beam.seen.size(), 3u);
  return beam.seen;
}

void expect_one_wait_and_upload(const std::vector<DeviceEvents>& steps) {
  for (const DeviceEvents& step : steps) {
    EXPECT_LE(step.waits.size(), 1u) << describe(step.waits);
    EXPECT_LE(step.uploads.size(), 1u) << describe(step.uploads);
    for (const auto& upload : step.uploads) EXPECT_EQ(upload.operators_before, 0) << describe(step.uploads);
  }
}

TEST(Waits, AStepOfASearchWaitsOnceAndUploadsOnce) {
  const search::SearchOptions search{.beam = 3, .max_length_factor = 0, .max_length_constant = 10, .min_length = 5};
  for (const auto& [name, options] : translation_networks()) {
    SCOPED_TRACE(name);
    expect_one_wait_and_upload(watch_search(options, search));
  }
}

TEST(Waits, LengthLimitsAndAttentionCostNoMore) {
  const search::SearchOptions search{.beam = 3, .max_length_factor = 1, .max_length_constant = 4, .min_length = 6};
  const auto steps = watch_search(tiny_transformer(), search, {.token_scores = true, .attention = true});
  expect_one_wait_and_upload(steps);
}

TEST(Waits, SentencesThatJoinCostOneUpload) {
  translation::EnsembleBeam beam(ensemble_of(tiny_transformer()));
  const text::Ids ids{5, 5}, longer{6, 6, 6};
  const std::vector<search::SourceSentence> two{{0, ids}, {1, ids}}, joining{{2, longer}};
  const std::vector ends(2, search::End::Allowed);
  const std::vector<int32_t> tokens(4, 5);
  search::Continuations found;
  const auto step = [&] { beam.step({.tokens = tokens, .ends = ends}, found); };
  beam.start(two, 2, false);
  step();
  reset_device_events();
  beam.select(std::vector<int64_t>{1}, std::vector<int32_t>{0, 0});
  beam.join(joining);
  const DeviceEvents joined = device_events();
  EXPECT_EQ(joined.uploads.size(), 1u) << describe(joined.uploads);
  EXPECT_EQ(joined.waits.size(), 0u) << describe(joined.waits);
  step();
  reset_device_events();
  beam.select(std::vector<int64_t>{1, 0}, std::vector<int32_t>{0, 0, 0, 0});  // of sentences that are not level
  step();
  const DeviceEvents after = device_events();
  EXPECT_EQ(after.uploads.size(), 1u) << describe(after.uploads);
  EXPECT_EQ(after.waits.size(), 1u) << "to read the best tokens: " << describe(after.waits);
}

/// A step on the device, with the optimizer's step behind it.
DeviceEvents watch_update(const models::ArchitectureOptions& options, int64_t parts,
                          const training::OptimizerOptions& chosen = training::AdamOptions{}) {
  const auto model = make_model(with_dropout(options), compared_device());
  model->train();
  const training::NamedParameters parameters = training::trainable_parameters(*model);
  std::vector<at::Tensor> tensors;
  for (const auto& [name, parameter] : parameters) tensors.push_back(parameter);
  training::GradientComputer computer(tensors,
                                      training::make_replicas(model, 1, compared_device(), {.label_smoothing = 0.1}),
                                      {.seed = 1, .device = compared_device(), .clip_norm = 1e-3, .threads = 1});
  const auto optimizer = training::make_optimizer(chosen, parameters);
  const data::StepBatch step = random_update(model->encoder != nullptr, parts);
  reset_device_events();
  computer.compute(step, {.number = 1});
  optimizer->step(0.001);
  return device_events();
}

TEST(Waits, AnUpdateWaitsAtItsEndOnly) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    const DeviceEvents events = watch_update(options, 2);
    ASSERT_EQ(events.waits.size(), 1u) << describe(events.waits);
    // Behind it are the clipping and the optimizer's step.
    EXPECT_GE(events.waits[0].operators_before, events.operator_count() - 4) << describe(events.waits);
  }
}

TEST(Waits, APartOfAnUpdateUploadsOnceAndFirst) {
  for (const auto& [name, options] : all_networks()) {
    SCOPED_TRACE(name);
    const DeviceEvents one = watch_update(options, 1), two = watch_update(options, 2);
    ASSERT_EQ(one.uploads.size(), 1u) << describe(one.uploads);
    EXPECT_LE(one.uploads[0].operators_before, 1) << "but for the gradients set to zero: " << describe(one.uploads);
    EXPECT_EQ(two.uploads.size(), 2u) << describe(two.uploads);
  }
}

TEST(Waits, NoOptimizerWaits) {
  for (const training::OptimizerOptions& optimizer : std::vector<training::OptimizerOptions>{
           training::AdamOptions{}, training::AdamWOptions{}, training::SgdOptions{},
           training::SgdOptions{.momentum = 0.9}, training::AdagradOptions{}, training::AdadeltaOptions{},
           training::MuonOptions{}}) {
    SCOPED_TRACE(name_of(optimizer));
    const DeviceEvents events = watch_update(tiny_transformer(), 1, optimizer);
    EXPECT_EQ(events.waits.size(), 1u) << describe(events.waits);
    EXPECT_EQ(events.uploads.size(), 1u) << describe(events.uploads);
  }
}

TEST(Waits, TimesOfTheTwoPassesAreTheDevicesOwn) {
  const auto device = compared_device();
  const at::Tensor weight = at::ones({3}, at::device(device)).requires_grad_();
  const auto loss = [&](const data::MicroBatch&, const training::StepInputs&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the host is busy, the device is not
    const at::Tensor sum = weight.sum();                         // one operator; its gradient takes two
    return nn::LossSum{.loss = sum, .rows = {}, .nll = sum.detach()};
  };
  training::GradientComputer computer({weight}, {{.parameters = {weight}, .loss = loss}}, {.device = device});
  const auto computed = computer.compute(random_update(true, 1), {.number = 1});
  EXPECT_GT(computed.forward_seconds, 0);
  EXPECT_GE(computed.backward_seconds, computed.forward_seconds);
}

}  // namespace
}  // namespace heed::testing
