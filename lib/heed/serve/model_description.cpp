#include "heed/serve/model_description.h"

#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "heed/serve/layer_attention.h"

namespace heed::serve {
namespace {

using Json = nlohmann::ordered_json;

template <class Options>
std::string_view kind_of(const Options& options) {
  return std::visit([]<class Kind>(const Kind&) { return Kind::kName; }, options);
}

/// The name of the score of a query for a key.
struct ScoreName {
  std::string_view of(const models::TransformerOptions& stack) const {
    return stack.scale_scores ? nn::ScaledDotScore::kName : nn::DotScore::kName;
  }
  std::string_view operator()(const models::TransformerEncoderOptions& coder) const { return of(coder.stack); }
  std::string_view operator()(const models::TransformerDecoderOptions& coder) const { return of(coder.stack); }
  std::string_view operator()(const models::RnnDecoderOptions& coder) const {
    const nn::MemoryAttentionOptions* attention = models::memory_attention_of(coder.attention);
    return attention ? kind_of(attention->score) : "";
  }
  template <class Other>
  std::string_view operator()(const Other&) const {
    return nn::DotScore::kName;  // a convolutional decoder's
  }
};

Json attention_of(const ServedModel& model) {
  Json all = Json::object();
  const models::ArchitectureOptions& options = model.architecture();
  for (const AttentionPart part : {AttentionPart::Cross, AttentionPart::Encoder, AttentionPart::Decoder}) {
    const text::HeadWeights& shape = part_of(model.attention_shape(), part);
    if (shape.empty()) continue;
    const std::string_view score = part == AttentionPart::Encoder ? std::visit(ScoreName{}, options.encoder.type)
                                                                  : std::visit(ScoreName{}, options.decoder.type);
    all[name_of(part)] = {{"layers", shape.size()}, {"heads", shape.front().size()}, {"score", score}};
  }
  return all;
}

}  // namespace

nlohmann::ordered_json describe_models(const ModelSet& models) {
  Json all = Json::array();
  for (const auto& [languages, entry] : models.entries()) {
    const models::ArchitectureOptions& options = entry.model->architecture();
    all.push_back({{"source", languages.source},
                   {"target", languages.target},
                   {"encoder", kind_of(options.encoder.type)},
                   {"decoder", kind_of(options.decoder.type)},
                   {"beam", entry.model->beam({})},
                   {"has_attention", models::has_source_attention(options)},
                   {"attention", attention_of(*entry.model)}});
  }
  return all;
}

}  // namespace heed::serve
