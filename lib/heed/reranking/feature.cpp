#include "heed/reranking/feature.h"

#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/json_nesting.h"
#include "heed/core/text/unicode.h"

namespace heed::reranking {
namespace {

using Json = nlohmann::ordered_json;

std::string names_of_kinds() {
  std::vector<std::string> names;
  for (const auto& [kind, name] : option_names(FeatureKind{})) names.emplace_back(name);
  return listed(names, "or");
}

/// Throws InputError if the entry is not a feature, and nlohmann's exceptions for JSON of another form.
Feature feature_from(const Json& json, const std::string& path) {
  const std::string name = json.at("kind");
  const auto kind = enum_value<FeatureKind>(name);
  if (!kind) {
    throw InputError(path, 0, fmt::format("a feature's kind must be {}, found \"{}\"", names_of_kinds(), name));
  }
  Feature feature{.kind = *kind, .model = json.value("model", ""), .weight = json.at("weight")};
  if (has_model(*kind) == feature.model.empty()) {
    throw InputError(path, 0,
                     fmt::format("the feature \"{}\" {}", name,
                                 has_model(*kind) ? "must name its \"model\", a directory" : "has no \"model\""));
  }
  if (!std::isfinite(feature.weight)) throw InputError(path, 0, "the weight of a feature must be finite");
  return feature;
}

}  // namespace

std::vector<double> relative_lengths(std::span<const std::string> candidates) {
  std::vector<double> lengths;
  double sum = 0;
  for (const std::string& text : candidates) {
    lengths.push_back(static_cast<double>(characters(text).size()));
    sum += lengths.back();
  }
  const double mean = sum / static_cast<double>(candidates.size());
  for (double& length : lengths) length = sum > 0 ? length / mean : 1;
  return lengths;
}

std::string from_right_to_left(const std::string& text) {
  const auto words = split_whitespace(text);
  return fmt::format("{}", fmt::join(words.rbegin(), words.rend(), " "));
}

std::string format_features(std::span<const Feature> features) {
  Json json{{"features", Json::array()}};
  for (const Feature& feature : features) {
    Json entry{{"kind", enum_name(feature.kind)}};
    if (has_model(feature.kind)) entry["model"] = feature.model;
    entry["weight"] = feature.weight;
    json["features"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Feature> read_features(const std::string& path) {
  const std::string content = read_file(path);
  if (is_nested_deeper(content)) throw InputError(path, 0, nested_too_deep());
  const Json json = Json::parse(content, nullptr, /*allow_exceptions=*/false);
  std::vector<Feature> features;
  try {
    for (const Json& entry : json.at("features")) features.push_back(feature_from(entry, path));
  } catch (const nlohmann::json::exception&) {
    features.clear();
  }
  if (features.empty()) {
    throw InputError(path, 0,
                     "expected weights as `heed rerank --reference` writes them: {\"features\": [{\"kind\": "
                     "\"list\", \"weight\": 1}, ...]}");
  }
  return features;
}

}  // namespace heed::reranking
