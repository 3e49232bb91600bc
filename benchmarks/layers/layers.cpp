#include "layers/layers.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <torch/torch.h>

#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/gated_convolution.h"
#include "heed_torch/nn/recurrent/layer.h"
#include "layers/allocation_counter.h"

namespace heed::benchmarks {
namespace {

Layer self_attention(const LayerSettings& settings, bool explicit_weights) {
  nn::SelfAttention layer(
      nn::AttentionOptions{.d_model = settings.width, .kind = nn::MultiHead{.heads = settings.heads}});
  return {.facts = {.name = explicit_weights ? "self-attention, explicit weights" : "self-attention",
                    .complexity = "O(n² d)",
                    .sequential = "O(1)",
                    .path = "O(1)",
                    .products = "4 d² + 2 n d"},
          .parameters = layer->parameters(),
          .run = [layer, explicit_weights](const Tensor& x) mutable {
            return layer->forward(x, {}, explicit_weights).context;
          }};
}

/// As on sentences of different lengths: the layer is told of every position whether it is padding.
Layer recurrent(const LayerSettings& settings, nn::CellKind kind, std::string name) {
  nn::RecurrentLayer layer(
      nn::RecurrentLayerOptions{.cell = {.d_input = settings.width, .d_hidden = settings.width, .kind = kind}});
  return {.facts = {.name = std::move(name),
                    .complexity = "O(n d²)",
                    .sequential = "O(n)",
                    .path = "O(n)",
                    .products = fmt::format("{} d²", 2 * nn::gates_of(kind))},
          .parameters = layer->parameters(),
          .run = [layer](const Tensor& x) mutable {
            return layer->forward(x, at::ones({x.size(0), x.size(1)}, at::kBool)).states;
          }};
}

Layer convolution(const LayerSettings& settings) {
  nn::GatedConvolution layer(nn::GatedConvolutionOptions{.d_model = settings.width, .kernel = settings.kernel});
  return {.facts = {.name = "gated convolution",
                    .complexity = "O(k n d²)",
                    .sequential = "O(1)",
                    .path = "O(n / k)",
                    .products = "2 k d²"},
          .parameters = layer->parameters(),
          .run = [layer](const Tensor& x) mutable { return layer->forward(x); }};
}

/// torch::nn::LSTM or GRU of the same sizes, for comparison.
template <typename Module, typename Options>
Layer library_recurrent(const LayerSettings& settings, int64_t gates, std::string name) {
  Module layer(Options(settings.width, settings.width).batch_first(true));
  return {.facts = {.name = std::move(name),
                    .complexity = "O(n d²)",
                    .sequential = "O(n)",
                    .path = "O(n)",
                    .products = fmt::format("{} d²", 2 * gates)},
          .parameters = layer->parameters(),
          .run = [layer](const Tensor& x) mutable { return std::get<0>(layer->forward(x)); }};
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A layer at one length.
class Passes {
 public:
  Passes(const Layer& layer, const Tensor& x, const Tensor& output_gradient)
      : layer_(layer), x_(x.detach().requires_grad_()), output_gradient_(output_gradient) {}

  void forward() const {
    const torch::NoGradGuard guard;
    layer_.run(x_);
  }
  /// Leaves no gradients behind, so that each pass allocates its own.
  void forward_backward() {
    layer_.run(x_).backward(output_gradient_);
    x_.mutable_grad() = Tensor();
    for (Tensor parameter : layer_.parameters) parameter.mutable_grad() = Tensor();
  }
  /// The first pass of each kind warms up; this one serves to count as well.
  int64_t peak_bytes() {
    forward();
    const AllocationCounter counter;
    forward_backward();
    return counter.peak();
  }
  void time_once() {
    forward_seconds_.push_back(seconds_of([this] { forward(); }));
    both_seconds_.push_back(seconds_of([this] { forward_backward(); }));
  }
  Seconds forward_seconds() const { return summary_of(forward_seconds_); }
  Seconds both_seconds() const { return summary_of(both_seconds_); }

 private:
  const Layer& layer_;
  Tensor x_;
  Tensor output_gradient_;
  std::vector<double> forward_seconds_, both_seconds_;
};

}  // namespace

std::vector<Layer> make_layers(const LayerSettings& settings) {
  std::vector<Layer> layers{self_attention(settings, /*explicit_weights=*/false),
                            self_attention(settings, /*explicit_weights=*/true),
                            recurrent(settings, nn::CellKind::Lstm, "LSTM"),
                            recurrent(settings, nn::CellKind::Gru, "GRU"),
                            convolution(settings),
                            library_recurrent<torch::nn::LSTM, torch::nn::LSTMOptions>(settings, 4, "LSTM of LibTorch"),
                            library_recurrent<torch::nn::GRU, torch::nn::GRUOptions>(settings, 3, "GRU of LibTorch")};
  // Speed does not depend on the values as long as they are ordinary ones.
  auto generator = at::make_generator<at::CPUGeneratorImpl>(1);
  const torch::NoGradGuard guard;
  for (Layer& layer : layers) {
    for (Tensor& parameter : layer.parameters) parameter.normal_(0, 0.05, generator);
  }
  return layers;
}

std::vector<std::vector<LayerMeasurement>> measure_layers(const std::vector<Layer>& layers,
                                                          const LayerSettings& settings,
                                                          const std::function<void(std::string_view)>& progress) {
  auto generator = at::make_generator<at::CPUGeneratorImpl>(2);
  std::vector<std::vector<LayerMeasurement>> measured(layers.size());
  for (const int64_t length : settings.lengths()) {
    const std::vector<int64_t> shape{settings.tokens / length, length, settings.width};
    const Tensor x = at::empty(shape).normal_(0, 1, generator), gradient = at::empty(shape).normal_(0, 1, generator);
    std::vector<Passes> passes;
    for (size_t i = 0; i < layers.size(); ++i) {
      passes.emplace_back(layers[i], x, gradient);
      measured[i].push_back({.peak_bytes = passes[i].peak_bytes()});
    }
    for (int64_t repetition = 0; repetition < settings.repetitions; ++repetition) {
      for (Passes& layer : passes) layer.time_once();
    }
    for (size_t i = 0; i < layers.size(); ++i) {
      measured[i].back().forward = passes[i].forward_seconds();
      measured[i].back().forward_backward = passes[i].both_seconds();
    }
    progress(fmt::format("length {}: measured", length));
  }
  return measured;
}

}  // namespace heed::benchmarks
