#include "gradients/gradients.h"

#include <cmath>
#include <functional>
#include <memory>

#include <torch/torch.h>

#include "heed_torch/nn/attention/attention.h"
#include "heed_torch/nn/recurrent/layer.h"

namespace heed::benchmarks {
namespace {

using at::Tensor;

struct Network {
  std::string name;
  std::shared_ptr<torch::nn::Module> module;
  std::function<Tensor(const Tensor& x)> run;  // float [S, n, width] -> the same shape
};

Network recurrent(std::string name, nn::CellKind kind, int64_t width) {
  nn::RecurrentLayer layer(nn::RecurrentLayerOptions{.cell = {.d_input = width, .d_hidden = width, .kind = kind}});
  return {.name = std::move(name), .module = layer.ptr(), .run = [layer](const Tensor& x) mutable {
            return layer->forward(x, {}).states;
          }};
}

Network self_attention(int64_t width) {
  nn::SelfAttention layer(nn::AttentionOptions{.d_model = width, .kind = nn::SingleHead{}});
  return {.name = "self-attention", .module = layer.ptr(), .run = [layer](const Tensor& x) mutable {
            return layer->forward(x, {.mask = nn::AttentionMask::causal(x.size(1), x)}).context;
          }};
}

// g(k) of one initialization.
std::vector<double> norms(const Network& network, const GradientSettings& settings, uint64_t seed) {
  network.module->to(at::kFloat);
  nn::initialize(*network.module, {}, seed);
  network.module->to(at::kDouble);  // a vanishing gradient leaves the range of float32
  auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
  const int64_t length = settings.longest + 1;
  const auto normal = [&](at::IntArrayRef shape) { return at::empty(shape, at::kDouble).normal_(0, 1, generator); };
  const Tensor x = normal({settings.sentences, length, settings.width}).requires_grad_();
  Tensor direction = normal({settings.sentences, settings.width});
  direction = direction / direction.norm(2, 1, /*keepdim=*/true);
  const Tensor last = network.run(x).select(1, length - 1);
  const Tensor gradient = torch::autograd::grad({(last * direction).sum()}, {x})[0];
  const Tensor by_position = gradient.norm(2, 2).mean(0);
  std::vector<double> found;
  for (const int64_t distance : settings.distances()) {
    found.push_back(by_position[length - 1 - distance].item<double>());
  }
  return found;
}

GradientCurve curve_of(const Network& network, const GradientSettings& settings) {
  std::vector<double> logarithms(settings.distances().size());
  for (int64_t seed = 1; seed <= settings.seeds; ++seed) {
    const std::vector<double> found = norms(network, settings, static_cast<uint64_t>(seed));
    for (size_t i = 0; i < found.size(); ++i) logarithms[i] += std::log(found[i] / found.front());
  }
  GradientCurve curve{.layer = network.name, .shares = {}};
  for (const double sum : logarithms) curve.shares.push_back(std::exp(sum / static_cast<double>(settings.seeds)));
  return curve;
}

}  // namespace

std::vector<GradientCurve> measure_gradients(const GradientSettings& settings) {
  const std::vector<Network> networks{
      recurrent("vanilla RNN", nn::CellKind::Tanh, settings.width), recurrent("GRU", nn::CellKind::Gru, settings.width),
      recurrent("LSTM", nn::CellKind::Lstm, settings.width), self_attention(settings.width)};
  std::vector<GradientCurve> curves;
  for (const Network& network : networks) curves.push_back(curve_of(network, settings));
  return curves;
}

}  // namespace heed::benchmarks
