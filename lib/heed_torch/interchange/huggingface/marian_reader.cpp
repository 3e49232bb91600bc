#include "heed_torch/interchange/huggingface/marian.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/interchange/common/external_tensors.h"
#include "heed_torch/interchange/common/json_file.h"
#include "heed_torch/interchange/common/layer_parameters.h"
#include "heed_torch/interchange/common/piece_table.h"
#include "heed_torch/interchange/common/unreachable_tokens.h"
#include "heed_torch/interchange/huggingface/generation_config.h"
#include "heed_torch/interchange/huggingface/marian_config.h"
#include "heed_torch/interchange/huggingface/marian_vocabulary.h"
#include "heed_torch/nn/positions/positions.h"

namespace heed::interchange {
namespace {

namespace fs = std::filesystem;
using at::Tensor;
using checkpoint::NamedTensors;

constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kMarian = "a MarianMT model";

ExternalTensors read_tensors(const std::string& directory) {
  const std::string path = directory + "/" + kModelFile;
  if (!fs::exists(path) && fs::exists(directory + "/pytorch_model.bin")) {
    throw CheckpointError(
        directory + "/pytorch_model.bin",
        fmt::format(
            "is a pickle, which can run any program when it is read, and heed reads none; convert it: python3 -c "
            "\"import sys, transformers; transformers.MarianMTModel.from_pretrained(sys.argv[1])"
            ".save_pretrained(sys.argv[1])\" {}",
            directory));
  }
  return {path, checkpoint::read_tensors(path).tensors};
}

/// Takes tensors in heed's order and by heed's names.
class MarianTensors {
 public:
  MarianTensors(ExternalTensors& theirs, const MarianConfig& config, MarianVocabularies vocabularies)
      : theirs_(theirs),
        config_(config),
        vocabularies_(std::move(vocabularies)),
        order_(DimensionOrder::halves_to_pairs(config.arch.d_model)),
        shapes_(models::parameter_shapes(
            config.arch, {.source = vocabularies_.source.size(), .target = vocabularies_.target.size()})) {}

  NamedTensors read() {
    read_embeddings();
    read_output_bias();
    for (const LayerParameter& part :
         encoder_parts(std::get<models::TransformerEncoderOptions>(config_.arch.encoder.type).stack))
      read_part(part);
    for (const LayerParameter& part :
         decoder_parts(std::get<models::TransformerDecoderOptions>(config_.arch.decoder.type).stack))
      read_part(part);
    check_positions();
    return std::move(read_);
  }

 private:
  Tensor take_table(const std::string& name, int64_t rows) { return theirs_.take(name, {rows, config_.arch.d_model}); }

  void read_embeddings() {
    using models::TiedEmbeddings;
    const std::string shared = "model.shared.weight", source = "model.encoder.embed_tokens.weight",
                      target = "model.decoder.embed_tokens.weight", output = "lm_head.weight";
    if (config_.arch.tied_embeddings == TiedEmbeddings::All) {
      const Tensor table = take_first({shared, target, source, output}, config_.target_rows);
      for (const std::string& name : {source, target, output}) require_repeated(name, table);
      add("decoder.embedding.weight", table, vocabularies_.target);
      return;
    }
    add("encoder.embedding.weight", take_first({source, shared}, config_.source_rows), vocabularies_.source);
    const Tensor decoder = take_first({target, shared}, config_.target_rows);
    add("decoder.embedding.weight", decoder, vocabularies_.target);
    if (theirs_.has(shared)) theirs_.pass_over(shared);  // the encoder's, if the encoder does not have its own
    if (config_.arch.tied_embeddings == TiedEmbeddings::Decoder) return require_repeated(output, decoder);
    add("output.weight", take_table(output, config_.target_rows), vocabularies_.target);
  }

  /// The table with the first of the names that exists.
  Tensor take_first(const std::vector<std::string>& names, int64_t rows) {
    const auto there = std::ranges::find_if(names, [&](const std::string& name) { return theirs_.has(name); });
    return take_table(there == names.end() ? names.front() : *there, rows);
  }

  /// Older files have the same table under several names.
  void require_repeated(const std::string& name, const Tensor& table) {
    if (!theirs_.has(name)) return;
    if (take_table(name, table.size(0)).equal(table)) return;
    throw CheckpointError(theirs_.path(), fmt::format("`{}` must be the same as the other tables of embeddings, as "
                                                      "config.json ties them, but is not",
                                                      name));
  }

  void add(const std::string& name, const Tensor& table, const PieceTable& pieces) {
    read_[name] = order_(rows_of(table, pieces), 1);
  }

  void read_output_bias() {
    const std::string name = "final_logits_bias";
    Tensor bias = at::zeros({config_.target_rows});
    if (theirs_.has(name)) bias = theirs_.take(name, {1, config_.target_rows}).squeeze(0);
    Tensor rows = rows_of(bias, vocabularies_.target);
    if (vocabularies_.target.rows[text::kPad] < 0) rows[text::kPad] = bias.min().item<double>() + kNeverProduced;
    read_["output.bias"] = rows;
  }

  void read_part(const LayerParameter& part) {
    for (const char* ending : {".weight", ".bias"}) {
      std::vector<int64_t> shape = shapes_.at(part.heed + ending);
      shape[0] /= static_cast<int64_t>(part.marian.size());
      std::vector<Tensor> stacked;
      for (const std::string& name : part.marian) stacked.push_back(theirs_.take(name + ending, shape));
      read_[part.heed + ending] = reordered(part, at::cat(stacked), order_);
    }
  }

  /// Newer versions do not save the sinusoids. Half precision keeps three digits of them.
  void check_positions() {
    for (const char* side : {"encoder", "decoder"}) {
      const std::string name = fmt::format("model.{}.embed_positions.weight", side);
      if (!theirs_.has(name)) continue;
      const int64_t count = theirs_.rows(name), d_model = config_.arch.d_model;
      const Tensor table = order_(theirs_.take(name, {count, d_model}), 1);
      const Tensor sinusoids = nn::sinusoidal_positions(at::arange(count), d_model, at::kFloat);
      if ((table - sinusoids).abs().lt(1e-3).all().item<bool>()) continue;
      throw CheckpointError(theirs_.path(), fmt::format("`{}` must be sinusoids, as MarianMT's positions are", name));
    }
  }

  ExternalTensors& theirs_;
  const MarianConfig& config_;
  MarianVocabularies vocabularies_;
  DimensionOrder order_;
  models::ParameterShapes shapes_;
  NamedTensors read_;
};

/// Removes a bias of zeros that no pad needs: heed exported that model without a bias.
void drop_needless_bias(ExchangedModel& model, const PieceTable& target) {
  const auto bias = model.tensors.find("output.bias");
  if (target.rows[text::kPad] < 0 || bias->second.ne(0).any().item<bool>()) return;
  model.tensors.erase(bias);
  model.arch.output_bias = false;
}

}  // namespace

ExchangedModel read_marian(const std::string& directory) {
  const MarianConfig config = read_marian_config(directory);
  ExternalTensors tensors = read_tensors(directory);
  const MarianVocabularies vocabularies = read_marian_vocabularies(directory, config);
  ExchangedModel model{.arch = config.arch, .search = {}, .tokenizers = {}, .tensors = {}, .left_out = {}};
  model.search = read_generation_config(directory, config, vocabularies.target, model.left_out);
  model.tokenizers =
      make_tokenizers(directory + "/source.spm", vocabularies.source, directory + "/target.spm", vocabularies.target);
  model.tensors = MarianTensors(tensors, config, vocabularies).read();
  drop_needless_bias(model, vocabularies.target);
  tensors.require_all_taken(kMarian);
  require_whole(model, tensors.path());
  return model;
}

}  // namespace heed::interchange
