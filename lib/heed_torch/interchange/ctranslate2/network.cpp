#include "heed_torch/interchange/ctranslate2/network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/interchange/ctranslate2/variables.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::interchange {
namespace {

constexpr auto kFlag = between(0, 1);
constexpr auto kHeads = between(1, 1e6);
constexpr auto kWidths = between(1, 1e6);
constexpr auto kAny = between(-1e9, 1e9);
constexpr int64_t kMostLayers = 1000;
/// Precision of a sinusoid in bfloat16.
constexpr double kSameSinusoid = 2e-3;
constexpr double kSameFactor = 1e-3;

/// Activations that heed does not have, by CTranslate2's numbers.
constexpr std::array kOtherActivations{std::pair{1, "GELUTanh"}, std::pair{4, "GELUSigmoid"}, std::pair{5, "Tanh"}};

/// The order of the sines and cosines in a table of sinusoidal positions.
enum class Sinusoids { None, Halves, Pairs };

/// Reads the options of the encoder or the decoder.
class CoderReader {
 public:
  CoderReader(ExternalTensors& variables, const JsonFile& config, std::string coder, int64_t d_model)
      : variables_(variables), config_(config), coder_(std::move(coder)), d_model_(d_model) {}

  models::TransformerOptions stack() {
    refuse_others();
    models::TransformerOptions stack;
    stack.layers = count_layers();
    stack.attention = attention("self_attention", 2);
    stack.scale_scores = scale_scores(stack);
    stack.feed_forward = feed_forward();
    stack.norm_order = norm_order();
    stack.positions = positions(stack);
    return stack;
  }

  /// The decoder's attention to the source.
  nn::MultiHead cross_attention() { return attention("attention", 3); }

  /// Whether embeddings are multiplied by the root of their width.
  bool scales_embeddings() {
    const std::string name = coder_ + "/scale_embeddings";
    const double factor = variables_.number(name, kAny, 1);
    if (!variables_.has(name) || variables_.is_whole(name)) return factor != 0;  // a flag
    const double root = std::sqrt(static_cast<double>(d_model_));
    if (std::abs(factor - root) < kSameFactor * root) return true;
    if (factor == 1) return false;
    refuse(fmt::format("multiplies embeddings by {} (`{}`); heed by 1 or the root of their width, {}", factor, name,
                       root));
  }

  Sinusoids sinusoids() const {
    if (!has("position_encodings/encodings") || d_model_ % 2 != 0) return Sinusoids::None;
    const std::string name = coder_ + "/position_encodings/encodings";
    const at::Tensor table = variables_.take(name, {variables_.rows(name), d_model_});
    const at::Tensor pairs = nn::sinusoidal_positions(at::arange(table.size(0)), d_model_, at::kFloat);
    const auto is = [&](const at::Tensor& expected) {
      return table.size(0) > 0 && (table - expected).abs().lt(kSameSinusoid).all().item<bool>();
    };
    if (is(DimensionOrder::pairs_to_halves(d_model_)(pairs, 1))) return Sinusoids::Halves;
    return is(pairs) ? Sinusoids::Pairs : Sinusoids::None;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { throw CheckpointError(variables_.path(), what); }

  bool has(const std::string& name) const { return variables_.has(coder_ + "/" + name); }
  std::string first_layer(const std::string& name) const { return coder_ + "/layer_0/" + name; }
  bool first_has(const std::string& name) const { return variables_.has(first_layer(name)); }
  double number(const std::string& name, Bounds bounds, std::optional<double> standard = {}) {
    return variables_.number(coder_ + "/" + name, bounds, standard);
  }

  void refuse_others() {
    for (const char* name : {"multi_query_attention", "alibi"}) {
      if (number(name, kFlag, 0) != 0) refuse(fmt::format("has `{}/{}`, which heed does not have", coder_, name));
    }
    for (const char* name : {"alibi_use_positive_positions", "scale_alibi", "embeddings_merge"}) number(name, kAny, 0);
    // These say which attention gives alignments; in heed the user chooses.
    for (const char* name : {"alignment_layer", "alignment_heads"}) number(name, kAny, 0);
  }

  int64_t count_layers() const {
    int64_t layers = 0;
    while (has(fmt::format("layer_{}/self_attention/linear_0/weight", layers)) && layers < kMostLayers) ++layers;
    if (layers == 0) refuse(fmt::format("lacks `{}`", first_layer("self_attention/linear_0/weight")));
    return layers;
  }

  /// maps: the number of projections.
  nn::MultiHead attention(const std::string& name, int maps) {
    nn::MultiHead kind{.heads = static_cast<int64_t>(number("num_heads", kHeads)), .bias = false};
    for (int i = 0; i < maps; ++i) kind.bias = kind.bias || first_has(fmt::format("{}/linear_{}/bias", name, i));
    return kind;
  }

  /// Whether scores are divided by the root of a head's width. CTranslate2 stores the factor with each attention.
  bool scale_scores(const models::TransformerOptions& stack) {
    const double usual = 1 / std::sqrt(static_cast<double>(d_model_) / double(nn::heads_of(stack.attention)));
    std::optional<bool> all;
    for (int64_t layer = 0; layer < stack.layers; ++layer) {
      for (const char* attention : {"self_attention", "attention"}) {
        if (!has(fmt::format("layer_{}/{}/linear_0/weight", layer, attention))) continue;
        const std::string name = fmt::format("layer_{}/{}/queries_scale", layer, attention);
        const double factor = number(name, kAny, usual);
        const bool scaled = std::abs(factor - usual) < kSameFactor * usual;
        if ((!scaled && factor != 1) || all.value_or(scaled) != scaled) {
          refuse(fmt::format("multiplies scores by {} (`{}/{}`), which heed cannot hold", factor, coder_, name));
        }
        all = scaled;
      }
    }
    return *all;
  }

  nn::Activation activation() {
    const auto number = static_cast<int>(this->number("activation", between(0, 6), 0));
    for (const auto& [other, name] : kOtherActivations) {
      if (number == other)
        refuse(fmt::format("has the activation {} (`{}/activation`), which heed does not have", name, coder_));
    }
    for (const auto& [known, name] : option_names(nn::Activation{})) {
      if (activation_number(known) == number) return known;
    }
    refuse(fmt::format("has an unknown `{}/activation`", coder_));
  }

  nn::FeedForwardOptions feed_forward() {
    const std::string output = first_layer("ffn/linear_1/weight");
    const int64_t d_hidden = variables_.size(output, 1);
    if (d_hidden == 0) refuse(fmt::format("lacks `{}`", output));
    return {.d_model = 0,
            .d_hidden = d_hidden,
            .activation = activation(),
            .gated = first_has("ffn/linear_0_noact/weight"),
            .bias = first_has("ffn/linear_0/bias") || first_has("ffn/linear_1/bias")};
  }

  models::NormOrder norm_order() {
    const bool rms = !first_has("ffn/layer_norm/beta");
    const auto set = [&](auto order) -> models::NormOrder {
      order.norm = rms ? nn::NormKind::Rms : nn::NormKind::Layer;
      order.epsilon = config_.number("layer_norm_epsilon", between(1e-12, 1), rms ? 1e-6 : 1e-5);
      return order;
    };
    return number("pre_norm", kFlag, 1) != 0 ? set(models::PreNorm{}) : set(models::PostNorm{});
  }

  nn::PositionOptions positions(const models::TransformerOptions& stack) {
    const std::string relative = first_layer("self_attention/relative_position_keys");
    if (variables_.has(relative)) {
      return nn::RelativePositionOptions{.max_distance = std::max<int64_t>((variables_.rows(relative) - 1) / 2, 1)};
    }
    if (first_has("self_attention/rotary_dim")) return rotary(stack);
    const std::string table = coder_ + "/position_encodings/encodings";
    if (variables_.has(table)) return nn::LearnedPositions{.max_length = variables_.rows(table)};
    refuse(fmt::format("has neither `{}` nor `{}`: other positions of CTranslate2 heed cannot hold", table, relative));
  }

  /// Reads the attributes of each layer. heed rotates all components of a head, in halves.
  nn::RotaryPositions rotary(const models::TransformerOptions& stack) {
    const auto all = static_cast<double>(d_model_ / nn::heads_of(stack.attention));
    std::optional<double> base;
    for (int64_t layer = 0; layer < stack.layers; ++layer) {
      const std::string scope = fmt::format("layer_{}/self_attention/rotary_", layer);
      const double turned = number(scope + "dim", kAny), own = number(scope + "base", at_least(1), 10000);
      const bool in_pairs = number(scope + "interleave", kFlag, 1) != 0;
      if ((turned != 0 && turned != all) || in_pairs || own != base.value_or(own)) {
        refuse(fmt::format("turns states in pairs, in part or not alike (`{}/{}dim`), which heed cannot hold", coder_,
                           scope));
      }
      base = own;
    }
    return {.base = *base};
  }

  ExternalTensors& variables_;
  const JsonFile& config_;
  std::string coder_;
  int64_t d_model_;
};

/// heed computes sinusoids, with one order in the whole model. Tables in another order become learned positions.
DimensionOrder choose_positions(CoderReader& encoder, models::TransformerOptions& encoder_stack, CoderReader& decoder,
                                models::TransformerOptions& decoder_stack, int64_t d_model) {
  const Sinusoids source = encoder.sinusoids(), target = decoder.sinusoids();
  const bool halves = source == Sinusoids::Halves || target == Sinusoids::Halves;
  const Sinusoids chosen = halves ? Sinusoids::Halves : Sinusoids::Pairs;
  if (source == chosen) encoder_stack.positions = nn::SinusoidalPositions{};
  if (target == chosen) decoder_stack.positions = nn::SinusoidalPositions{};
  return halves ? DimensionOrder::halves_to_pairs(d_model) : DimensionOrder::same();
}

void refuse_if_impossible(const models::ArchitectureOptions& arch, const std::string& path) {
  try {
    models::validate(arch);
  } catch (const ConfigError& error) {
    throw CheckpointError(path, fmt::format("describes an impossible network: {}", error.what()));
  }
}

}  // namespace

Network read_network(ExternalTensors& variables, const JsonFile& config) {
  const int64_t d_model = variables.size(kTargetTable, 1);
  if (!kWidths.contain(static_cast<double>(d_model))) {
    throw CheckpointError(variables.path(), fmt::format("must have `{}` of a width from {} to {}, but has {}",
                                                        kTargetTable, kWidths.lowest, kWidths.highest, d_model));
  }
  CoderReader encoder(variables, config, "encoder", d_model), decoder(variables, config, "decoder", d_model);
  models::TransformerEncoderOptions source{.stack = encoder.stack()};
  models::TransformerDecoderOptions target{.stack = decoder.stack(), .cross = {}};
  const nn::MultiHead cross = decoder.cross_attention();
  if (nn::AttentionKind(cross) != target.stack.attention) target.cross.attention = cross;
  models::ArchitectureOptions arch;
  arch.d_model = d_model;
  Network network{.arch = std::move(arch),
                  .order = choose_positions(encoder, source.stack, decoder, target.stack, d_model),
                  .starts_from_zeros = variables.number("decoder/start_from_zero_embedding", kFlag, 0) != 0};
  network.arch.embedding_scale = encoder.scales_embeddings();
  if (decoder.scales_embeddings() != network.arch.embedding_scale) {
    throw CheckpointError(variables.path(), "scales embeddings on one side only, which heed cannot represent");
  }
  network.arch.encoder.type = source;
  network.arch.decoder.type = target;
  refuse_if_impossible(network.arch, variables.path());
  return network;
}

}  // namespace heed::interchange
