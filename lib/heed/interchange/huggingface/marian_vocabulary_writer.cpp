#include <limits>
#include <string_view>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/interchange/huggingface/marian_vocabulary.h"
#include "heed/text/sentencepiece/piece_table_tokenizer.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"

namespace heed::interchange {
namespace {

using nlohmann::ordered_json;
using text::Tokenizer;

/// So far below the others in its bias that an entry has no probability: an imported model's pad.
constexpr double kOutOfReach = 50;

/// The SentencePiece model of a tokenizer.
std::string model_of(const Tokenizer& tokenizer) {
  const auto* table = dynamic_cast<const text::PieceTableTokenizer*>(&tokenizer);
  return table == nullptr ? tokenizer.serialized() : table->model();
}

void require_pieces(const Tokenizer& tokenizer, const char* side, const Target& target) {
  const std::string_view ending = tokenizer.file_ending();
  const bool pieces = ending == text::SentencePieceTokenizer::kEnding || ending == text::PieceTableTokenizer::kEnding;
  target.refuse_if(!pieces, fmt::format("the tokenizer {}.{}, which is none of SentencePiece's", side, ending));
}

bool have_same_pieces(const Tokenizer& source, const Tokenizer& target) {
  if (source.size() != target.size()) return false;
  for (int32_t id = text::kEos + 1; id < source.size(); ++id) {
    if (source.piece(id) != target.piece(id)) return false;
  }
  return true;
}

/// Whether heed's pad, which is never produced, has a share of the probability all the same.
bool pad_is_live(const checkpoint::NamedTensors& tensors) {
  const auto bias = tensors.find("output.bias");
  if (bias == tensors.end()) return true;
  const auto output = tensors.find("output.weight");
  const at::Tensor& matrix = output == tensors.end() ? tensors.at("decoder.embedding.weight") : output->second;
  const at::Tensor others = bias->second.slice(0, 1);
  return matrix[text::kPad].ne(0).any().item<bool>() ||
         bias->second[text::kPad].item<double>() > others.min().item<double>() - kOutOfReach;
}

std::vector<int64_t> ordered_ids(int64_t size, bool one_vocabulary, bool has_heed_pad) {
  std::vector<int64_t> ids{text::kEos, text::kUnk};
  if (!one_vocabulary) ids.push_back(text::kBos);
  for (int64_t id = text::kEos + 1; id < size; ++id) ids.push_back(id);
  if (has_heed_pad) ids.push_back(text::kPad);
  if (one_vocabulary) ids.push_back(text::kBos);
  return ids;
}

std::string name_of(const Tokenizer& tokenizer, int64_t id) {
  switch (id) {
    case text::kPad:
      return kHeedPad;
    case text::kUnk:
      return "<unk>";
    case text::kBos:
      return "<pad>";
    case text::kEos:
      return "</s>";
    default:
      return tokenizer.piece(static_cast<int32_t>(id));
  }
}

void write_table(const Tokenizer& tokenizer, const std::vector<int64_t>& ids, const std::string& path) {
  ordered_json table = ordered_json::object();
  nlohmann::json seen = nlohmann::json::object();  // which finds names fast
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string name = name_of(tokenizer, ids[i]);
    if (!seen.emplace(name, true).second) throw CheckpointError(path, fmt::format("would have `{}` twice", name));
    table.get_ref<ordered_json::object_t&>().emplace_back(name, i);
  }
  write_file(path, table.dump(2) + '\n');
}

}  // namespace

MarianOrder marian_order(const ExchangedModel& model, const Target& target) {
  const Tokenizer& source_pieces = *model.tokenizers.source;
  const Tokenizer& target_pieces = *model.tokenizers.target;
  require_pieces(source_pieces, "source", target);
  require_pieces(target_pieces, "target", target);
  MarianOrder order{.source = {},
                    .target = {},
                    .one_vocabulary = have_same_pieces(source_pieces, target_pieces),
                    .has_heed_pad = pad_is_live(model.tensors)};
  order.source = ordered_ids(source_pieces.size(), order.one_vocabulary, order.has_heed_pad);
  order.target = ordered_ids(target_pieces.size(), order.one_vocabulary, order.has_heed_pad);
  return order;
}

void write_marian_vocabularies(const text::Tokenizers& tokenizers, const MarianOrder& order,
                               const std::string& output) {
  write_table(*tokenizers.source, order.source, output + "/vocab.json");
  if (!order.one_vocabulary) write_table(*tokenizers.target, order.target, output + "/target_vocab.json");
  write_file(output + "/source.spm", model_of(*tokenizers.source));
  write_file(output + "/target.spm", model_of(*tokenizers.target));
  ordered_json config = {{"tokenizer_class", "MarianTokenizer"}, {"separate_vocabs", !order.one_vocabulary}};
  config["model_max_length"] = 512;
  for (const auto& [name, token] : {std::pair{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}}) {
    config[name] = token;
  }
  write_file(output + "/tokenizer_config.json", config.dump(2) + '\n');
}

}  // namespace heed::interchange
