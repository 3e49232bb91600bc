// A small MarianMT model as transformers saves one, made by hand: every number of its tensors tells where it stands.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "heed/core/files/atomic_file.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "support/temporary_directory.h"
#include "text/small_corpus.h"

namespace heed::testing {

inline std::string pieces_model() {
  static const std::string kModel =
      text::testing::learn_one({.type = text::UnigramOptions{.subwords = {.size = {.vocab_size = 50}}}})->serialized();
  return kModel;
}

/// Files in `directory`, which a test may change before write().
struct MarianFiles {
  explicit MarianFiles(std::string where) : directory(std::move(where)) {
    vocabulary = {{"</s>", 0}, {"<unk>", 1}, {"\u2581the", 2}, {"\u2581dog", 3}, {"s", 4}, {".", 5}, {"<pad>", 6}};
    config = {{"model_type", "marian"},
              {"vocab_size", 7},
              {"d_model", 4},
              {"encoder_layers", 1},
              {"decoder_layers", 2},
              {"encoder_attention_heads", 2},
              {"decoder_attention_heads", 1},
              {"encoder_ffn_dim", 3},
              {"decoder_ffn_dim", 5},
              {"activation_function", "swish"},
              {"scale_embedding", true},
              {"dropout", 0.2},
              {"pad_token_id", 6},
              {"eos_token_id", 0},
              {"decoder_start_token_id", 6}};
    generation = {{"num_beams", 4}, {"bad_words_ids", {{6}}}};
    add_table("model.shared.weight", 7, 4);
    tensors["final_logits_bias"] = torch::arange(7).to(torch::kFloat).unsqueeze(0);
    add_layer("model.encoder.layers.0.", 3, {"self_attn"});
    for (const char* layer : {"0", "1"}) {
      add_layer(fmt::format("model.decoder.layers.{}.", layer), 5, {"self_attn", "encoder_attn"});
    }
  }

  /// Numbers 1, 2, ... in thousandths, row by row, and the number of the tensor before them.
  void add_table(const std::string& name, int64_t rows, int64_t columns) {
    const auto count = static_cast<double>(tensors.size() + 1);
    tensors[name] = (torch::arange(rows * columns).to(torch::kFloat) / 1000 + count).view({rows, columns});
  }
  void add_map(const std::string& name, int64_t out, int64_t in) {
    add_table(name + ".weight", out, in);
    add_table(name + ".bias", 1, out);
    tensors[name + ".bias"] = tensors[name + ".bias"].squeeze(0);
  }
  void add_norm(const std::string& name) {
    for (const char* ending : {".weight", ".bias"}) {
      add_table(name + ending, 1, 4);
      tensors[name + ending] = tensors[name + ending].squeeze(0);
    }
  }
  void add_layer(const std::string& prefix, int64_t hidden, const std::vector<std::string>& attentions) {
    for (const std::string& attention : attentions) {
      for (const char* map : {".q_proj", ".k_proj", ".v_proj", ".out_proj"}) add_map(prefix + attention + map, 4, 4);
      add_norm(prefix + attention + "_layer_norm");
    }
    add_map(prefix + "fc1", hidden, 4);
    add_map(prefix + "fc2", 4, hidden);
    add_norm(prefix + "final_layer_norm");
  }

  void write() const {
    std::filesystem::create_directories(directory);
    write_file(directory + "/config.json", config.dump());
    if (!generation.is_null()) write_file(directory + "/generation_config.json", generation.dump());
    write_file(directory + "/vocab.json", vocabulary.dump());
    write_file(directory + "/source.spm", pieces_model());
    write_file(directory + "/target.spm", pieces_model());
    checkpoint::write_tensors(directory + "/model.safetensors", tensors);
  }

  std::string directory;
  nlohmann::json config, generation, vocabulary;
  checkpoint::NamedTensors tensors;
};

}  // namespace heed::testing
