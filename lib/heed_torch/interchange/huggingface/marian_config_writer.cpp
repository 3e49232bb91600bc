#include <filesystem>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/files/atomic_file.h"
#include "heed_torch/interchange/common/refusal.h"
#include "heed_torch/interchange/huggingface/marian_config.h"
#include "heed_torch/interchange/huggingface/marian_vocabulary.h"

namespace heed::interchange {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kPositions = 1024;  // MarianConfig's own; sinusoids are computed, not stored

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

/// transformers' lengths count the decoder's first token and end-of-sentence. heed's longest translation may depend on
/// the source's length; transformers' cannot.
void add_lengths(ordered_json& config, const search::SearchOptions& search) {
  const bool is_constant = search.max_length_factor == 0;
  config["max_length"] = is_constant ? search.max_length_constant + 2 : kPositions / 2;
  config["min_new_tokens"] = search.min_length;
}

void add_length_penalty(ordered_json& config, ExchangedModel& model) {
  if (const auto* power = std::get_if<search::PowerPenalty>(&model.search.length_penalty)) {
    config["length_penalty"] = power->alpha;
  } else if (std::holds_alternative<search::NoPenalty>(model.search.length_penalty)) {
    config["length_penalty"] = 0;
  } else {
    model.left_out.emplace_back("the length penalty gnmt is left out: transformers' power penalty takes its place");
  }
}

void add_stop_rule(ordered_json& config, ExchangedModel& model) {
  const search::SearchOptions& search = model.search;
  const auto* count = std::get_if<search::StopAtCount>(&search.stop);
  if (count == nullptr) {
    config["early_stopping"] = "never";
    return;
  }
  config["early_stopping"] = search.beam > 1;
  if (count->patience == 1) return;
  model.left_out.push_back(fmt::format("`search.patience`, {}, is left out: transformers has 1", count->patience));
}

void add_groups(ordered_json& config, const search::SearchOptions& search) {
  if (search.groups == 1) return;
  config["num_beam_groups"] = search.groups;
  config["diversity_penalty"] = search.diversity;
}

/// Names the options that transformers does not have, or handles differently.
void leave_out_others(ExchangedModel& model) {
  const search::SearchOptions& search = model.search;
  if (std::holds_alternative<search::SampleMethod>(search.method)) {
    model.left_out.emplace_back("`search.method` sample is left out: the exported model searches");
  }
  for (const auto& [name, value, without_effect] : {std::tuple{"repetition-penalty", search.repetition_penalty, 1.0},
                                                    std::tuple{"word-reward", search.word_reward, 0.0},
                                                    std::tuple{"coverage-penalty", search.coverage_penalty, 0.0}}) {
    if (value == without_effect) continue;
    model.left_out.push_back(
        fmt::format("`search.{}`, {}, is left out: transformers has no such penalty", name, value));
  }
}

/// The search options, as far as transformers supports them.
ordered_json generation(ExchangedModel& model, const MarianOrder& order) {
  const search::SearchOptions& search = model.search;
  ordered_json config = {{"num_beams", search.beam}};
  add_lengths(config, search);
  add_stop_rule(config, model);
  add_length_penalty(config, model);
  if (search.no_repeat_ngram > 0) config["no_repeat_ngram_size"] = search.no_repeat_ngram;
  add_groups(config, search);
  leave_out_others(model);
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
