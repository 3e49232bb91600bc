#include "heed_torch/interchange/huggingface/marian_config.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/interchange/common/json_file.h"

namespace heed::interchange {
namespace {

constexpr auto kSizes = between(1, 1e6);
constexpr auto kIds = between(0, 2147483647);
constexpr auto kDropout = between(0, 0.99);

constexpr auto kActivations = std::to_array<std::pair<std::string_view, nn::Activation>>({
    {"swish", nn::Activation::Silu},
    {"silu", nn::Activation::Silu},
    {"relu", nn::Activation::Relu},
    {"gelu", nn::Activation::Gelu},
    {"sigmoid", nn::Activation::Sigmoid},
});

nn::Activation activation(const JsonFile& config) {
  const std::string name = config.text("activation_function", "gelu");
  for (const auto& [known, activation] : kActivations) {
    if (known == name) return activation;
  }
  config.refuse("activation_function", "swish, silu, relu, gelu or sigmoid");
}

/// Refuses options of other networks that use the same form of configuration.
void refuse_other_networks(const JsonFile& config) {
  if (config.text("model_type") != "marian") config.refuse("model_type", "marian");
  for (const char* name : {"normalize_before", "normalize_embedding", "add_final_layer_norm"}) {
    if (config.flag(name, false)) config.refuse(name, "false, as MarianMT's layers are");
  }
  if (!config.flag("static_position_embeddings", true)) config.refuse("static_position_embeddings", "true");
}

/// side: "encoder" or "decoder".
models::TransformerOptions stack(const JsonFile& config, const std::string& side) {
  return {
      .layers = config.whole_number(side + "_layers", between(1, 1000)),
      .attention = nn::MultiHead{.heads = config.whole_number(side + "_attention_heads", kSizes)},
      .attention_dropout = config.number("attention_dropout", kDropout, 0),
      .feed_forward = nn::FeedForwardOptions{.d_model = 0,
                                             .d_hidden = config.whole_number(side + "_ffn_dim", kSizes),
                                             .activation = activation(config),
                                             .activation_dropout = config.number("activation_dropout", kDropout, 0)},
      .positions = nn::SinusoidalPositions{},
      .norm_order = models::PostNorm{}};
}

models::TiedEmbeddings tied_embeddings(const JsonFile& config) {
  if (!config.flag("tie_word_embeddings", true)) return models::TiedEmbeddings::None;
  const bool shared = config.flag("share_encoder_decoder_embeddings", true);
  return shared ? models::TiedEmbeddings::All : models::TiedEmbeddings::Decoder;
}

models::ArchitectureOptions architecture(const JsonFile& config) {
  models::ArchitectureOptions arch{.d_model = config.whole_number("d_model", kSizes),
                                   .dropout = config.number("dropout", kDropout, 0.1),
                                   .tied_embeddings = tied_embeddings(config),
                                   .embedding_scale = config.flag("scale_embedding", false),
                                   .output_bias = true,
                                   .vectors = models::VectorOptions{},
                                   .encoder = {models::TransformerEncoderOptions{stack(config, "encoder")}},
                                   .decoder = {},
                                   .head = {},
                                   .initialization = {}};
  arch.decoder.type = models::TransformerDecoderOptions{.stack = stack(config, "decoder"), .cross = {}};
  try {
    models::validate(arch);
  } catch (const ConfigError& error) {
    throw CheckpointError(config.path(), fmt::format("describes an impossible network: {}", error.what()));
  }
  return arch;
}

/// The token with this `name`. Its member is a text, or an object with its content.
std::string token(const JsonFile& file, const std::string& name, const std::string& standard) {
  const nlohmann::json& member = file.member(name);
  if (!member.is_object()) return file.text(name, standard);
  const auto content = member.find("content");
  if (content == member.end() || !content->is_string()) file.refuse(name, "a text");
  return content->get<std::string>();
}

}  // namespace

MarianConfig read_marian_config(const std::string& directory) {
  const JsonFile config(directory + "/config.json");
  refuse_other_networks(config);
  MarianConfig read{.arch = architecture(config),
                    .source_rows = config.whole_number("vocab_size", kIds),
                    .target_rows = 0,
                    .one_vocabulary = true,
                    .pad_id = config.whole_number("pad_token_id", kIds),
                    .eos_id = config.whole_number("eos_token_id", kIds)};
  const bool shared = config.flag("share_encoder_decoder_embeddings", true);
  read.target_rows = shared ? read.source_rows : config.whole_number("decoder_vocab_size", kIds, read.source_rows);
  if (config.whole_number("decoder_start_token_id", kIds) != read.pad_id) {
    config.refuse("decoder_start_token_id", fmt::format("the `pad_token_id`, {}", read.pad_id));
  }
  const JsonFile tokenizer = JsonFile::if_there(directory + "/tokenizer_config.json");
  read.one_vocabulary = shared || !tokenizer.flag("separate_vocabs", false);
  read.pad = token(tokenizer, "pad_token", read.pad);
  read.unk = token(tokenizer, "unk_token", read.unk);
  read.eos = token(tokenizer, "eos_token", read.eos);
  return read;
}

}  // namespace heed::interchange
