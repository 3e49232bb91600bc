#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/files/atomic_file.h"
#include "heed/interchange/huggingface/marian_config.h"
#include "heed/interchange/huggingface/marian_vocabulary.h"
#include "heed/interchange/refusal.h"

namespace heed::interchange {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kPositions = 1024;  // MarianConfig's own; the sinusoids are made, not stored

const char* activation_name(nn::Activation activation) {
  switch (activation) {
    case nn::Activation::Relu:
      return "relu";
    case nn::Activation::Gelu:
      return "gelu";
    case nn::Activation::Silu:
      return "swish";
    case nn::Activation::Sigmoid:
      break;
  }
  return "sigmoid";
}

void add_stack(ordered_json& config, const std::string& side, const models::TransformerOptions& stack) {
  config[side + "_layers"] = stack.layers;
  config[side + "_attention_heads"] = nn::heads_of(stack.attention);
  config[side + "_ffn_dim"] = stack.feed_forward.d_hidden;
  config[side + "_layerdrop"] = 0;
}

ordered_json network(const models::ArchitectureOptions& arch, const Stacks& stacks, const MarianOrder& order) {
  ordered_json config = {{"architectures", {"MarianMTModel"}}, {"model_type", "marian"}, {"torch_dtype", "float32"}};
  config["vocab_size"] = order.source.size();
  config["decoder_vocab_size"] = order.target.size();
  config["d_model"] = arch.d_model;
  add_stack(config, "encoder", *stacks.encoder);
  add_stack(config, "decoder", *stacks.decoder);
  config["activation_function"] = activation_name(stacks.encoder->feed_forward.activation);
  config["dropout"] = arch.dropout;
  config["attention_dropout"] = stacks.encoder->attention_dropout;
  config["activation_dropout"] = stacks.encoder->feed_forward.activation_dropout;
  config["scale_embedding"] = arch.embedding_scale;
  config["share_encoder_decoder_embeddings"] = arch.tied_embeddings == models::TiedEmbeddings::All;
  config["tie_word_embeddings"] = arch.tied_embeddings != models::TiedEmbeddings::None;
  config["static_position_embeddings"] = true;
  config["max_position_embeddings"] = kPositions;
  config["is_encoder_decoder"] = true;
  return config;
}

void add_ids(ordered_json& config, const MarianOrder& order) {
  config["pad_token_id"] = order.pad_id();
  config["decoder_start_token_id"] = order.pad_id();
  config["eos_token_id"] = 0;
  config["forced_eos_token_id"] = 0;
}

/// How it searches, as far as transformers has that.
ordered_json generation(ExchangedModel& model, const MarianOrder& order) {
  const search::SearchOptions& search = model.search;
  ordered_json config = {
      {"num_beams", search.beam}, {"max_length", kPositions / 2}, {"early_stopping", search.beam > 1}};
  if (const auto* power = std::get_if<search::PowerPenalty>(&search.length_penalty)) {
    config["length_penalty"] = power->alpha;
  } else if (std::holds_alternative<search::NoPenalty>(search.length_penalty)) {
    config["length_penalty"] = 0;
  } else {
    model.left_out.emplace_back("the length penalty gnmt is left out: transformers' power penalty takes its place");
  }
  if (search.no_repeat_ngram > 0) config["no_repeat_ngram_size"] = search.no_repeat_ngram;
  ordered_json barred = {{order.pad_id()}};
  if (order.has_heed_pad) barred.push_back({order.heed_pad_id()});
  if (!search.unknown) barred.push_back({1});
  config["bad_words_ids"] = barred;
  add_ids(config, order);
  return config;
}

}  // namespace

void write_marian_config(ExchangedModel& model, const Stacks& stacks, const MarianOrder& order,
                         const std::string& output) {
  ordered_json config = network(model.arch, stacks, order);
  add_ids(config, order);
  write_file(output + "/config.json", config.dump(2) + '\n');
  write_file(output + "/generation_config.json", generation(model, order).dump(2) + '\n');
}

}  // namespace heed::interchange
