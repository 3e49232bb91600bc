#include "heed_torch/interchange/ctranslate2/ctranslate2.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/interchange/common/dimension_order.h"
#include "heed_torch/interchange/common/external_tensors.h"
#include "heed_torch/interchange/common/json_file.h"
#include "heed_torch/interchange/common/layer_parameters.h"
#include "heed_torch/interchange/common/unreachable_tokens.h"
#include "heed_torch/interchange/ctranslate2/model_file.h"
#include "heed_torch/interchange/ctranslate2/network.h"
#include "heed_torch/interchange/ctranslate2/variables.h"
#include "heed_torch/interchange/ctranslate2/vocabularies.h"

namespace heed::interchange {
namespace {

using at::Tensor;
using checkpoint::NamedTensors;
using models::TiedEmbeddings;

// Quantized weights of CTranslate2 (ctranslate2/specs/model_spec.py): a matrix of integers with a scale, weight =
// number / scale. In int8 each row has a scale, in int16 the whole matrix has one.

bool fits(const Tensor& weight, const Tensor& scale) {
  if (!scale.is_floating_point() || scale.dim() > 1) return false;
  return scale.numel() == 1 || (scale.dim() == 1 && weight.dim() > 0 && scale.size(0) == weight.size(0));
}

Tensor dequantized(const Tensor& weight, const Tensor& scale) {
  std::vector<int64_t> per_row(static_cast<size_t>(weight.dim()), 1);
  if (scale.numel() > 1) per_row[0] = -1;
  return weight.to(at::kFloat) / scale.to(at::kFloat).view(per_row);
}

/// Converts each `X` of int8 or int16 that has an `X_scale` to float32, and removes the scale. path: of the file, for
/// errors. Throws CheckpointError if a scale does not fit or is not above 0.
void dequantize(NamedTensors& tensors, const std::string& path) {
  for (auto& [name, tensor] : tensors) {
    const auto scale = tensors.find(name + "_scale");
    if (scale == tensors.end() || (tensor.scalar_type() != at::kChar && tensor.scalar_type() != at::kShort)) continue;
    if (!fits(tensor, scale->second)) {
      throw CheckpointError(path, fmt::format("`{}` does not fit the quantized `{}`", scale->first, name));
    }
    if (!scale->second.gt(0).all().item<bool>()) {
      throw CheckpointError(path, fmt::format("`{}` must be above 0", scale->first));
    }
    tensor = dequantized(tensor, scale->second);
    tensors.erase(scale);
  }
}

ExternalTensors read_variables(const std::string& path) {
  ModelFile file = read_model_file(path);
  if (file.specification != kTransformerSpecification) {
    throw CheckpointError(path, fmt::format("is a {} of CTranslate2; heed has only its {}, an encoder and a decoder",
                                            file.specification, kTransformerSpecification));
  }
  if (file.revision > kTransformerRevision) {
    throw CheckpointError(path, fmt::format("is of revision {} of {}, but heed knows up to {}", file.revision,
                                            kTransformerSpecification, kTransformerRevision));
  }
  dequantize(file.tensors, path);
  return {path, std::move(file.tensors)};
}

/// Takes variables in heed's order and by heed's names.
class VariablesReader {
 public:
  VariablesReader(ExternalTensors& theirs, const Network& network, const VocabularyTables& tables)
      : theirs_(theirs), tables_(tables), order_(network.order), arch_(network.arch) {}

  /// Also completes the architecture.
  NamedTensors read() {
    read_tables();
    read_output_bias();
    shapes_ = models::parameter_shapes(arch_, {.source = tables_.source.size(), .target = tables_.target.size()});
    const auto& encoder = std::get<models::TransformerEncoderOptions>(arch_.encoder.type).stack;
    const auto& decoder = std::get<models::TransformerDecoderOptions>(arch_.decoder.type).stack;
    for (const LayerParameter& part : encoder_parts(encoder)) read_part(part);
    for (const LayerParameter& part : decoder_parts(decoder)) read_part(part);
    read_positions("encoder", encoder);
    read_positions("decoder", decoder);
    return std::move(read_);
  }

  const models::ArchitectureOptions& arch() const { return arch_; }

 private:
  /// One row for each entry of the vocabulary.
  Tensor take_table(const std::string& name, const PieceTable& pieces) {
    const int64_t highest = *std::ranges::max_element(pieces.rows) + 1;
    if (theirs_.rows(name) != highest && theirs_.has(name)) {
      throw CheckpointError(theirs_.path(), fmt::format("`{}` has {} rows, but its vocabulary has {} tokens", name,
                                                        theirs_.rows(name), highest));
    }
    return theirs_.take(name, {highest, arch_.d_model});
  }

  /// CTranslate2 does not say which tables are tied: tables with equal numbers are.
  void read_tables() {
    const Tensor source = take_table(kSourceTable, tables_.source), target = take_table(kTargetTable, tables_.target);
    const Tensor output = take_table(kProjection, tables_.target);
    const bool tied = output.equal(target), all = tied && tables_.one_vocabulary && source.equal(target);
    arch_.tied_embeddings = all ? TiedEmbeddings::All : tied ? TiedEmbeddings::Decoder : TiedEmbeddings::None;
    add("decoder.embedding.weight", target, tables_.target);
    if (!all) add("encoder.embedding.weight", source, tables_.source);
    if (!tied) add("output.weight", output, tables_.target);
  }

  void add(const std::string& name, const Tensor& table, const PieceTable& pieces) {
    read_[name] = order_(rows_of(table, pieces), 1);
  }

  void read_output_bias() {
    arch_.output_bias = theirs_.has(kProjectionBias) || !tables_.never_produced.empty();
    if (!arch_.output_bias) return;
    const int64_t rows = theirs_.rows(kProjection);
    const Tensor bias = theirs_.has(kProjectionBias) ? theirs_.take(kProjectionBias, {rows}) : at::zeros({rows});
    Tensor ours = rows_of(bias, tables_.target);
    for (const int64_t id : tables_.never_produced) ours[id] = bias.min().item<double>() + kNeverProduced;
    read_["output.bias"] = ours;
  }

  void read_part(const LayerParameter& part) {
    for (const VariableEnding& ending : variable_endings(part.kind)) {
      const auto shape = shapes_.find(part.heed + ending.heed);
      if (shape != shapes_.end()) read_[shape->first] = reordered(part, stacked(part, ending, shape->second), order_);
    }
  }

  /// shape: of heed's tensor.
  Tensor stacked(const LayerParameter& part, const VariableEnding& ending, std::vector<int64_t> shape) {
    shape[0] /= static_cast<int64_t>(part.ctranslate2.size());
    std::vector<Tensor> tensors;
    for (const std::string& name : part.ctranslate2) {
      const std::string variable = name + ending.ctranslate2;
      const bool no_bias = ending.heed == ".bias" && part.kind == PartKind::Map && !theirs_.has(variable);
      tensors.push_back(no_bias ? at::zeros(shape) : theirs_.take(variable, shape));
    }
    return at::cat(tensors);
  }

  void read_positions(const std::string& coder, const models::TransformerOptions& stack) {
    const auto* learned = std::get_if<nn::LearnedPositions>(&stack.positions);
    if (learned == nullptr) return;
    const Tensor table = theirs_.take(coder + "/position_encodings/encodings", {learned->max_length, arch_.d_model});
    read_[coder + ".positions.weight"] = order_(table, 1);
  }

  ExternalTensors& theirs_;
  const VocabularyTables& tables_;
  DimensionOrder order_;
  models::ArchitectureOptions arch_;
  models::ParameterShapes shapes_;
  NamedTensors read_;
};

void say_what_is_left_out(ExchangedModel& model, const std::string& directory, const JsonFile& config,
                          const Network& network) {
  if (std::filesystem::exists(directory + "/vmap.txt")) {
    model.left_out.emplace_back("vmap.txt is left out: `heed shortlist` makes heed's own shortlists");
  }
  if (!config.flag("add_source_eos", false) && !network.starts_from_zeros) {
    model.left_out.emplace_back(
        "`add_source_eos` is false: heed ends each source with </s>, as most who use such models do; one that never saw "
        "it (OpenNMT-py's) translates otherwise");
  }
}

}  // namespace

ExchangedModel read_ctranslate2(const std::string& directory) {
  const JsonFile config = JsonFile::if_there(directory + "/config.json");
  ExternalTensors variables = read_variables(directory + "/model.bin");
  const Network network = read_network(variables, config);
  const VocabularyTables tables = read_vocabularies(directory, config, network.starts_from_zeros);
  VariablesReader reader(variables, network, tables);
  ExchangedModel model;
  model.tensors = reader.read();
  model.arch = reader.arch();
  variables.require_all_taken("a Transformer of heed");
  model.tokenizers = find_tokenizers(directory, tables);
  say_what_is_left_out(model, directory, config, network);
  require_whole(model, variables.path());
  return model;
}

}  // namespace heed::interchange
