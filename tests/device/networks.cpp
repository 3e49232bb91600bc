#include "device/networks.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "heed/architecture/stochastic_parts.h"
#include "heed/core/random.h"
#include "heed/data/batches/batching.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/config/device.h"
#include "heed_torch/training/step/gradient_computer.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/fake_device/events.h"
#include "support/fake_device/fake_device.h"

namespace heed::testing {
namespace {

bool on_cuda() { return std::getenv("HEED_CUDA") != nullptr; }

/// Registered before any test asks LibTorch for its devices.
bool register_device() {
  if (on_cuda()) return config::pick_device("cuda").is_cuda();  // float32 is whole from then on, as in the programs
  test_support::use_fake_device();
  return true;
}
const bool kRegistered = register_device();

/// At the end of the program writes which operators ran on the device, where HEED_OPERATORS_FILE says to:
/// check_cuda_kernels.sh.
class OperatorsFile : public ::testing::Environment {
  void TearDown() override {
    const char* path = std::getenv("HEED_OPERATORS_FILE");
    if (path == nullptr) return;
    std::ofstream file(path);
    for (const std::string& name : test_support::operators_of_process()) file << name << '\n';
  }
};
const auto* const kOperatorsFile = ::testing::AddGlobalTestEnvironment(new OperatorsFile);

// Of every so many networks of a grid one: the choices of its innermost loops are fewer, and have no factor in common.
constexpr size_t kShare = 7;

std::vector<NamedArchitecture> some_of(const std::vector<NamedArchitecture>& grid) {
  std::vector<NamedArchitecture> some;
  for (size_t i = 0; i < grid.size(); i += kShare) some.push_back(grid[i]);
  return some;
}

void append(std::vector<NamedArchitecture>& all, const std::vector<NamedArchitecture>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

bool has_source(const models::ArchitectureOptions& options) {
  return !std::holds_alternative<models::NoEncoderOptions>(options.encoder.type);
}

text::Ids random_ids(RandomStream& random) {
  text::Ids ids(1 + random.below(6));
  for (int32_t& id : ids) id = static_cast<int32_t>(4 + random.below(kWords));
  return ids;
}

}  // namespace

at::Device first_device() { return on_cuda() ? at::Device(at::kCUDA, 0) : test_support::fake_device(0); }

at::Device compared_device() {
  if (!on_cuda()) return test_support::fake_device(test_support::kFakeDevices - 1);
  return {at::kCUDA, static_cast<c10::DeviceIndex>(at::detail::getCUDAHooks().deviceCount() - 1)};
}

std::vector<NamedArchitecture> translation_networks() {
  if (std::getenv("HEED_WHOLE_GRID")) return architecture_grid();
  std::vector<NamedArchitecture> networks{{"Transformer", tiny_transformer()}, {"GRU", tiny_rnn()}};
  append(networks, some_of(transformer_grid()));
  append(networks, some_of(rnn_grid()));
  append(networks, chosen_rnns());
  append(networks, mixed_grid());
  return networks;
}

std::vector<NamedArchitecture> language_networks() {
  std::vector<NamedArchitecture> networks{{"language model, Transformer", tiny_transformer()},
                                          {"language model, recurrent", tiny_rnn()},
                                          {"language model, convolutional", tiny_convolution()}};
  auto& recurrent = std::get<models::RnnDecoderOptions>(networks[1].options.decoder.type);
  recurrent.attention = models::NoMemoryAttention{};
  recurrent.initial_state = models::ZeroState{};
  for (NamedArchitecture& network : networks) {
    network.options.encoder.type = models::NoEncoderOptions{};
    auto& tied = network.options.tied_embeddings;
    if (tied == models::TiedEmbeddings::All) tied = models::TiedEmbeddings::Decoder;
  }
  return networks;
}

std::vector<NamedArchitecture> all_networks() {
  std::vector<NamedArchitecture> networks = translation_networks();
  append(networks, language_networks());
  return networks;
}

bool draws_others(const models::ArchitectureOptions& options, at::Device device) {
  return device.is_cuda() && models::draws_at_random(options);
}

models::ArchitectureOptions with_dropout(models::ArchitectureOptions options) {
  options.dropout = 0.3;
  if (auto* encoder = std::get_if<models::TransformerEncoderOptions>(&options.encoder.type)) {
    encoder->stack.attention_dropout = 0.2;
  }
  if (auto* decoder = std::get_if<models::TransformerDecoderOptions>(&options.decoder.type)) {
    decoder->stack.attention_dropout = 0.2;
  }
  return options;
}

std::shared_ptr<models::Model> make_model(const models::ArchitectureOptions& options, at::Device device) {
  auto model = models::build_model(options, {.source = has_source(options) ? kWords + 4 : 0, .target = kWords + 4}, 3);
  model->to(device);
  model->eval();
  return model;
}

data::StepBatch random_update(bool has_source, int64_t parts) {
  RandomStream random(9, Purpose::Test);
  data::StepBatch step;
  for (int64_t part = 0; part < parts; ++part) {
    std::vector<text::Ids> sources, targets;
    for (int i = 0; i < 3; ++i) {
      sources.push_back(random_ids(random));
      targets.push_back(random_ids(random));
    }
    std::vector<data::BatchPair> pairs;
    for (size_t i = 0; i < targets.size(); ++i) {
      pairs.push_back(
          {.line = static_cast<int64_t>(i), .source = has_source ? sources[i] : text::Ids(), .target = targets[i]});
    }
    step.micro_batches.push_back(data::make_batch(pairs, has_source));
    step.target_tokens += step.micro_batches.back().target_tokens;
  }
  return step;
}

UpdatedModel update_model(const models::ArchitectureOptions& options, at::Device device,
                          const UpdateSettings& settings) {
  return update_model(make_model(options, device), random_update(has_source(options), 2), device, settings);
}

UpdatedModel update_model(const std::shared_ptr<models::Model>& model, const data::StepBatch& step, at::Device device,
                          const UpdateSettings& settings) {
  model->train();
  const training::NamedParameters parameters = training::trainable_parameters(*model);
  std::vector<at::Tensor> tensors;
  for (const auto& [name, parameter] : parameters) tensors.push_back(parameter);
  const training::LossOptions loss{.label_smoothing = 0.1, .r_drop = settings.r_drop};
  training::GradientComputer computer(
      tensors, training::make_replicas(model, 1, device, loss),
      {.seed = 1, .device = device, .precision = settings.precision, .clip_norm = 1, .threads = 1});
  const auto optimizer = training::make_optimizer(settings.optimizer, parameters);
  UpdatedModel made;
  for (int64_t i = 1; i <= settings.steps; ++i) {
    const auto computed =
        computer.compute(step, {.number = static_cast<uint64_t>(i), .loss_scale = settings.loss_scale});
    made.loss = computed.loss;
    made.gradient_norm = computed.gradient_norm;
    made.finite = made.finite && computed.finite;
    made.gradients.clear();
    for (const auto& [name, parameter] : parameters) made.gradients[name] = parameter.grad().cpu().clone();
    if (computed.finite) optimizer->step(0.01);
  }
  for (const auto& [name, tensor] : checkpoint::named_tensors(*model)) made.tensors[name] = tensor.cpu();
  return made;
}

NamedDifference largest_difference(const std::map<std::string, at::Tensor>& found,
                                   const std::map<std::string, at::Tensor>& expected) {
  TORCH_CHECK(found.size() == expected.size(), "found ", found.size(), " tensors, expected ", expected.size());
  NamedDifference largest;
  for (const auto& [name, tensor] : expected) {
    const double value = difference(found.at(name), tensor);
    if (!(value <= largest.value)) largest = {value, name};  // NaN too
  }
  return largest;
}

void expect_near(const UpdatedModel& found, const UpdatedModel& expected, double tolerance) {
  EXPECT_TRUE(found.finite);
  EXPECT_NEAR(found.loss, expected.loss, tolerance);
  EXPECT_NEAR(found.gradient_norm, expected.gradient_norm, tolerance * std::max(1.0, expected.gradient_norm));
  const NamedDifference gradients = largest_difference(found.gradients, expected.gradients);
  EXPECT_LT(gradients.value, tolerance) << gradients.name;
  const NamedDifference tensors = largest_difference(found.tensors, expected.tensors);
  EXPECT_LT(tensors.value, tolerance) << tensors.name;
}

}  // namespace heed::testing
