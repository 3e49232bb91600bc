#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/text/sentencepiece/sentence_piece_tokenizer.h"
#include "heed/text/vocabulary.h"
#include "heed_torch/interchange/common/unreachable_tokens.h"
#include "heed_torch/interchange/ctranslate2/vocabularies.h"

namespace heed::interchange {
namespace {

using nlohmann::ordered_json;
using text::Tokenizer;

/// Whether an entry is never produced and has a row of zeros in each table: importers create the same entry themselves.
bool is_needless(const checkpoint::NamedTensors& tensors, int64_t id) {
  if (!is_out_of_reach(tensors, id)) return false;
  return std::ranges::all_of(std::array{"encoder.embedding.weight", "decoder.embedding.weight"}, [&](const char* name) {
    const auto table = tensors.find(name);
    return table == tensors.end() || !table->second[id].ne(0).any().item<bool>();
  });
}

std::vector<int64_t> entries_in_order(int64_t size, bool has_pad, bool has_bos) {
  std::vector<int64_t> ids;
  if (has_pad) ids.push_back(text::kPad);
  if (has_pad || has_bos) {
    ids.push_back(text::kUnk);
    if (has_bos) ids.push_back(text::kBos);
    ids.push_back(text::kEos);
  } else {
    ids = {text::kEos, text::kUnk};
  }
  for (int64_t id = text::kEos + 1; id < size; ++id) ids.push_back(id);
  return ids;
}

void write_list(const Tokenizer& tokenizer, const std::vector<int64_t>& ids, const std::string& path) {
  ordered_json list = ordered_json::array();
  std::unordered_set<std::string> seen;
  for (const int64_t id : ids) {
    const auto index = static_cast<size_t>(id);
    const bool special = index < text::kSpecialNames.size();
    std::string name(special ? std::string(text::kSpecialNames[index]) : tokenizer.piece(static_cast<int32_t>(id)));
    if (!seen.insert(name).second) throw CheckpointError(path, fmt::format("would have `{}` twice", name));
    list.push_back(std::move(name));
  }
  write_file(path, list.dump(2, ' ', /*ensure_ascii=*/true));
}

/// Writes the SentencePiece model of a tokenizer; another tokenizer as in heed's own directories.
void write_tokenizer(const Tokenizer& tokenizer, const std::string& side, const std::string& output) {
  const auto model = sentence_piece_model(tokenizer);
  const std::string_view ending = model ? text::SentencePieceTokenizer::kEnding : tokenizer.file_ending();
  write_file(fmt::format("{}/{}.{}", output, side, ending), model ? *model : tokenizer.serialized());
}

ordered_json configuration(const EntryOrder& order, double epsilon) {
  const auto name = [](int32_t id) { return text::kSpecialNames[static_cast<size_t>(id)]; };
  return {{"add_source_bos", false},        {"add_source_eos", true},
          {"bos_token", name(text::kBos)},  {"decoder_start_token", name(order.has_bos ? text::kBos : text::kEos)},
          {"eos_token", name(text::kEos)},  {"layer_norm_epsilon", epsilon},
          {"multi_query_attention", false}, {"unk_token", name(text::kUnk)}};
}

}  // namespace

EntryOrder entry_order(const ExchangedModel& model) {
  const Tokenizer &source = *model.tokenizers.source, &target = *model.tokenizers.target;
  const bool has_pad = !is_needless(model.tensors, text::kPad), has_bos = !is_needless(model.tensors, text::kBos);
  return {.source = entries_in_order(source.size(), has_pad, has_bos),
          .target = entries_in_order(target.size(), has_pad, has_bos),
          .one_vocabulary = have_same_pieces(source, target),
          .has_bos = has_bos};
}

void write_vocabularies(const text::Tokenizers& tokenizers, const EntryOrder& order, double epsilon,
                        const std::string& output) {
  if (order.one_vocabulary) {
    write_list(*tokenizers.target, order.target, output + "/shared_vocabulary.json");
  } else {
    write_list(*tokenizers.source, order.source, output + "/source_vocabulary.json");
    write_list(*tokenizers.target, order.target, output + "/target_vocabulary.json");
  }
  write_tokenizer(*tokenizers.source, "source", output);
  write_tokenizer(*tokenizers.target, "target", output);
  write_file(output + "/config.json", configuration(order, epsilon).dump(2) + '\n');
}

}  // namespace heed::interchange
