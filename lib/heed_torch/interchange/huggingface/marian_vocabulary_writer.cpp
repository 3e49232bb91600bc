#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed_torch/interchange/common/unreachable_tokens.h"
#include "heed_torch/interchange/huggingface/marian_vocabulary.h"

namespace heed::interchange {
namespace {

using nlohmann::ordered_json;
using text::Tokenizer;

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
  nlohmann::json seen = nlohmann::json::object();  // finds names fast
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string name = name_of(tokenizer, ids[i]);
    if (!seen.emplace(name, true).second) throw CheckpointError(path, fmt::format("would have `{}` twice", name));
    table.get_ref<ordered_json::object_t&>().emplace_back(name, i);
  }
  write_file(path, table.dump(2) + '\n');
}

}  // namespace

void require_sentence_pieces(const text::Tokenizers& tokenizers, const Target& target) {
  for (const auto& [side, pieces] : {std::pair{"source", &tokenizers.source}, {"target", &tokenizers.target}}) {
    target.refuse_if(
        !sentence_piece_model(**pieces),
        fmt::format("the tokenizer {}.{}, which is not a SentencePiece tokenizer", side, (*pieces)->file_ending()));
  }
}

MarianOrder marian_order(const ExchangedModel& model) {
  const Tokenizer& source_pieces = *model.tokenizers.source;
  const Tokenizer& target_pieces = *model.tokenizers.target;
  MarianOrder order{.source = {},
                    .target = {},
                    .one_vocabulary = have_same_pieces(source_pieces, target_pieces),
                    .has_heed_pad = !is_out_of_reach(model.tensors, text::kPad)};
  order.source = ordered_ids(source_pieces.size(), order.one_vocabulary, order.has_heed_pad);
  order.target = ordered_ids(target_pieces.size(), order.one_vocabulary, order.has_heed_pad);
  return order;
}

void write_marian_vocabularies(const text::Tokenizers& tokenizers, const MarianOrder& order,
                               const std::string& output) {
  write_table(*tokenizers.source, order.source, output + "/vocab.json");
  if (!order.one_vocabulary) write_table(*tokenizers.target, order.target, output + "/target_vocab.json");
  write_file(output + "/source.spm", *sentence_piece_model(*tokenizers.source));
  write_file(output + "/target.spm", *sentence_piece_model(*tokenizers.target));
  ordered_json config = {{"tokenizer_class", "MarianTokenizer"}, {"separate_vocabs", !order.one_vocabulary}};
  config["model_max_length"] = 512;
  for (const auto& [name, token] : {std::pair{"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}}) {
    config[name] = token;
  }
  write_file(output + "/tokenizer_config.json", config.dump(2) + '\n');
}

}  // namespace heed::interchange
