#include "heed/serve/layer_attention.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/text/counted.h"
#include "heed/serve/parameters.h"

namespace heed::serve {
namespace {

using Detail = nlohmann::ordered_json;

constexpr size_t kMostRecorded = 10'000'000;  // weights of a sentence: 40 MB

RequestError bad_selection(const std::string& message) { return {400, message}; }

AttentionPart read_part(const nlohmann::json& json) {
  const auto found = json.find("of");
  if (found == json.end()) return AttentionPart::Cross;
  for (const AttentionPart part : {AttentionPart::Cross, AttentionPart::Encoder, AttentionPart::Decoder}) {
    if (*found == name_of(part)) return part;
  }
  throw bad_selection("`attention.of` must be cross, encoder or decoder");
}

/// A list of numbers from 1 to `count`; all of them if it is absent.
std::vector<int64_t> read_numbers(const nlohmann::json& json, const char* name, size_t count) {
  const auto found = json.find(name);
  std::vector<int64_t> numbers;
  if (found == json.end()) {
    numbers.resize(count);
    std::iota(numbers.begin(), numbers.end(), 1);
    return numbers;
  }
  if (!found->is_array() || found->empty())
    throw bad_selection(fmt::format("`attention.{}` must be a list of numbers", name));
  for (const nlohmann::json& item : *found) {
    const bool fits = item.is_number_integer() && item >= 1 && item <= count;
    if (!fits) throw bad_selection(fmt::format("`attention.{}` must be numbers from 1 to {}", name, count));
    numbers.push_back(item.get<int64_t>());
  }
  return numbers;
}

/// Tokens with the words that they belong to.
struct Tokens {
  Detail names = Detail::array();
  Detail words = Detail::array();

  void add(const std::string& name, int64_t word = -1) {
    names.push_back(name);
    words.push_back(word);
  }
  void add(const text::Ids& ids, const text::Tokenizer& tokenizer, const text::AlignmentUnits& units) {
    for (size_t i = 0; i < ids.size(); ++i) {
      add(tokenizer.piece(ids[i]), i < units.of_token.size() ? units.of_token[i] : -1);
    }
  }
};

/// The tokens that attend, and those attended to.
std::pair<Tokens, Tokens> tokens_of(AttentionPart part, const text::Tokenizers& tokenizers,
                                    const translation::Translation& translation) {
  const std::string end = tokenizers.target->piece(text::kEos), begin = tokenizers.target->piece(text::kBos);
  Tokens source, written, read;
  source.add(translation.source, *tokenizers.source, translation.source_words);
  source.add(end);
  written.add(translation.target, *tokenizers.target, translation.target_words);
  written.add(end);
  read.add(begin);
  read.add(translation.target, *tokenizers.target, translation.target_words);
  if (part == AttentionPart::Encoder) return {source, source};
  if (part == AttentionPart::Decoder) return {written, read};
  return {written, source};
}

/// The model gives all weights, and the answer has some of them: the memory of all is bounded too.
void require_short_line(const engine::AttentionRecord& shape, size_t source, size_t target) {
  const auto heads = [](const text::HeadWeights& layers) {
    return layers.empty() ? 0 : layers.size() * layers[0].size();
  };
  const size_t all = heads(shape.encoder) * source * source + heads(shape.cross) * source * target +
                     heads(shape.decoder) * target * target;
  if (all <= kMostRecorded) return;
  throw RequestError(413, fmt::format("the line and its translation have {} tokens: too many to show their attention",
                                      source + target));
}

/// The rows of the model's tag are left out, with its columns in the decoder.
Detail weights_json(const text::AlignmentWeights& weights, size_t tag, bool tag_is_read) {
  Detail rows = Detail::array();
  for (size_t i = tag; i < weights.size(); ++i) {
    Detail& row = rows.emplace_back(Detail::array());
    for (size_t j = 0; j < weights[i].size(); ++j) {
      if (tag_is_read && j >= 1 && j <= tag) continue;
      row.push_back(std::round(1e3 * static_cast<double>(weights[i][j])) / 1e3);
    }
  }
  return rows;
}

}  // namespace

const char* name_of(AttentionPart part) {
  switch (part) {
    case AttentionPart::Encoder:
      return "encoder";
    case AttentionPart::Decoder:
      return "decoder";
    case AttentionPart::Cross:
      break;
  }
  return "cross";
}

const text::HeadWeights& part_of(const engine::AttentionRecord& record, AttentionPart part) {
  switch (part) {
    case AttentionPart::Encoder:
      return record.encoder;
    case AttentionPart::Decoder:
      return record.decoder;
    case AttentionPart::Cross:
      break;
  }
  return record.cross;
}

LayerSelection read_layer_selection(const nlohmann::json& json, const ServedModel& model) {
  LayerSelection selection{.part = read_part(json), .layers = {}, .heads = {}};
  const text::HeadWeights& shape = part_of(model.attention_shape(), selection.part);
  if (shape.empty())
    throw bad_selection(fmt::format("this model has no attention `{}` to show", name_of(selection.part)));
  selection.layers = read_numbers(json, "layers", shape.size());
  selection.heads = read_numbers(json, "heads", shape.front().size());
  return selection;
}

nlohmann::ordered_json layer_attention(const LayerSelection& selection, const ServedModel& model, const text::Ids& tag,
                                       const translation::Translation& translation) {
  const auto [rows, columns] = tokens_of(selection.part, model.tokenizers(), translation);
  const auto count =
      static_cast<int64_t>(rows.names.size() * columns.names.size() * selection.layers.size() * selection.heads.size());
  if (count > kMostWeights) {
    throw RequestError(413, fmt::format("the attention has {} weights, more than {}: name fewer layers or heads",
                                        format_count(count), format_count(kMostWeights)));
  }
  require_short_line(model.attention_shape(), translation.source.size() + 1,
                     tag.size() + translation.target.size() + 1);
  const engine::AttentionRecord record = model.read_attention(translation, tag);
  const text::HeadWeights& all = part_of(record, selection.part);
  const size_t tag_rows = selection.part == AttentionPart::Encoder ? 0 : tag.size();
  Detail layers = Detail::array();
  for (const int64_t layer : selection.layers) {
    Detail& heads = layers.emplace_back(Detail::array());
    for (const int64_t head : selection.heads) {
      heads.push_back(weights_json(all[static_cast<size_t>(layer - 1)][static_cast<size_t>(head - 1)], tag_rows,
                                   selection.part == AttentionPart::Decoder));
    }
  }
  return {{"of", name_of(selection.part)}, {"layers", selection.layers},
          {"heads", selection.heads},      {"rows", rows.names},
          {"row_words", rows.words},       {"columns", columns.names},
          {"column_words", columns.words}, {"weights", std::move(layers)}};
}

}  // namespace heed::serve
