// A small Transformer as CTranslate2's converters write one, made by hand, byte by byte: every number of its tensors
// tells where it stands.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "heed/core/files/atomic_file.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "interchange/marian_files.h"

namespace heed::testing {

/// The bytes of a model.bin, piece by piece.
class ModelBytes {
 public:
  template <class Number>
  ModelBytes& number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  ModelBytes& name(const std::string& text) {
    number(static_cast<uint16_t>(text.size() + 1));
    bytes_.append(text.c_str(), text.size() + 1);
    return *this;
  }
  ModelBytes& tensor(const std::string& called, const at::Tensor& tensor) {
    const std::vector<at::ScalarType> types{at::kFloat, at::kChar, at::kShort, at::kInt, at::kHalf, at::kBFloat16};
    name(called).number(static_cast<uint8_t>(tensor.dim()));
    for (const int64_t size : tensor.sizes()) number(static_cast<uint32_t>(size));
    number(static_cast<uint8_t>(std::ranges::find(types, tensor.scalar_type()) - types.begin()));
    number(static_cast<uint32_t>(tensor.nbytes()));
    bytes_.append(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes());
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Files in `directory`, which a test may change before write(). Marian's kind: post-norm, sines before cosines, no
/// entry for the decoder's first input.
struct CTranslate2Files {
  explicit CTranslate2Files(std::string where, int64_t positions = 3) : directory(std::move(where)) {
    vocabulary = {"</s>", "<unk>", "\u2581the", "\u2581dog", "s", "."};
    config = {{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"decoder_start_token", "</s>"}, {"add_source_eos", true}};
    add_coder("encoder", 2, 2);
    add_coder("decoder", 1, 0);
    for (const char* name : {"alibi", "alibi_use_positive_positions", "scale_alibi"}) flag("decoder/", name, 0);
    flag("decoder/", "start_from_zero_embedding", 1);
    flag("encoder/", "multi_query_attention", 0);
    flag("encoder/", "embeddings_merge", 0);
    tensors["decoder/alignment_layer"] = torch::scalar_tensor(-1, at::kShort);
    tensors["decoder/alignment_heads"] = torch::scalar_tensor(1, at::kShort);
    add_layer("encoder/layer_0/", 3, {"self_attention"});
    for (const char* layer : {"0", "1"}) {
      add_layer(fmt::format("decoder/layer_{}/", layer), 5, {"self_attention", "attention"});
    }
    add_table("decoder/embeddings/weight", 6, 4);
    aliases["decoder/projection/weight"] = "decoder/embeddings/weight";
    aliases["encoder/embeddings_0/weight"] = "decoder/embeddings/weight";
    tensors["decoder/position_encodings/encodings"] = sines_before_cosines(positions);
    aliases["encoder/position_encodings/encodings"] = "decoder/position_encodings/encodings";
  }

  /// Vaswani's, of width 4: sin(t), sin(t / 100), cos(t), cos(t / 100).
  static at::Tensor sines_before_cosines(int64_t rows) {
    const at::Tensor place = torch::arange(rows).to(torch::kDouble);
    return torch::stack({place.sin(), (place / 100).sin(), place.cos(), (place / 100).cos()}, 1).to(torch::kFloat);
  }

  void flag(const std::string& prefix, const std::string& name, int value) {
    tensors[prefix + name] = torch::scalar_tensor(value, at::kChar);
  }
  /// activation: swish 2, relu 0.
  void add_coder(const std::string& coder, int heads, int activation) {
    tensors[coder + "/num_heads"] = torch::scalar_tensor(heads, at::kShort);
    flag(coder + "/", "pre_norm", 0);
    flag(coder + "/", "activation", activation);
    tensors[coder + "/scale_embeddings"] = torch::scalar_tensor(2.0, at::kFloat);
  }
  /// Numbers 1, 2, ... in thousandths, row by row, and the number of the tensor before them.
  void add_table(const std::string& name, int64_t rows, int64_t columns) {
    const auto count = static_cast<double>(tensors.size() + 1);
    tensors[name] = (torch::arange(rows * columns).to(torch::kFloat) / 1000 + count).view({rows, columns});
  }
  void add_vector(const std::string& name, int64_t size) {
    add_table(name, 1, size);
    tensors[name] = tensors[name].squeeze(0);
  }
  void add_map(const std::string& name, int64_t out, int64_t in) {
    add_table(name + "/weight", out, in);
    add_vector(name + "/bias", out);
  }
  void add_norm(const std::string& name) {
    for (const char* ending : {"/gamma", "/beta"}) add_vector(name + ending, 4);
  }
  void add_layer(const std::string& prefix, int64_t hidden, const std::vector<std::string>& attentions) {
    for (const std::string& attention : attentions) {
      const bool self = attention == "self_attention";
      add_map(prefix + attention + "/linear_0", self ? 12 : 4, 4);
      if (!self) add_map(prefix + attention + "/linear_1", 8, 4);
      add_map(prefix + attention + (self ? "/linear_1" : "/linear_2"), 4, 4);
      add_norm(prefix + attention + "/layer_norm");
    }
    add_map(prefix + "ffn/linear_0", hidden, 4);
    add_map(prefix + "ffn/linear_1", 4, hidden);
    add_norm(prefix + "ffn/layer_norm");
  }
  /// Another form: norms before each part, a first entry of the decoder's.
  void turn_to_pre_norm() {
    for (const char* coder : {"encoder", "decoder"}) {
      flag(fmt::format("{}/", coder), "pre_norm", 1);
      add_norm(fmt::format("{}/layer_norm", coder));
    }
    flag("decoder/", "start_from_zero_embedding", 0);
    vocabulary[4] = "<s>";
    config["decoder_start_token"] = "<s>";
  }

  ModelBytes head() const {
    ModelBytes bytes;
    bytes.number(version).name(specification).number(revision);
    return bytes;
  }
  std::string model_bytes() const {
    ModelBytes bytes = head();
    bytes.number(static_cast<uint32_t>(tensors.size()));
    for (const auto& [name, tensor] : tensors) bytes.tensor(name, tensor);
    bytes.number(static_cast<uint32_t>(aliases.size()));
    for (const auto& [alias, name] : aliases) bytes.name(alias).name(name);
    return bytes.bytes();
  }
  void write() const {
    std::filesystem::create_directories(directory);
    write_file(directory + "/config.json", config.dump());
    write_file(directory + "/shared_vocabulary.json", vocabulary.dump(2, ' ', true));
    write_file(directory + "/source.spm", pieces_model());
    write_file(directory + "/target.spm", pieces_model());
    write_file(directory + "/model.bin", model_bytes());
  }

  std::string directory;
  uint32_t version = 6, revision = 7;
  std::string specification = "TransformerSpec";
  nlohmann::json config, vocabulary;
  checkpoint::NamedTensors tensors;
  std::map<std::string, std::string> aliases;
};

}  // namespace heed::testing
