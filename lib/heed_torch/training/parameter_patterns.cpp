#include "heed_torch/training/parameter_patterns.h"

#include <algorithm>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::training {
namespace {

/// Whether the pattern matches the whole name.
bool matches_whole(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() != '*') {
    return !name.empty() && pattern.front() == name.front() && matches_whole(pattern.substr(1), name.substr(1));
  }
  for (size_t skipped = 0; skipped <= name.size(); ++skipped) {
    if (matches_whole(pattern.substr(1), name.substr(skipped))) return true;
  }
  return false;
}

[[noreturn]] void fail_without_match(const torch::nn::Module& model, const char* option, const std::string& pattern) {
  std::vector<std::string> parts;
  for (const auto& child : model.named_children()) {
    if (!child.value()->parameters().empty()) parts.push_back(fmt::format("`{}`", child.key()));
  }
  throw ConfigError(option, fmt::format("must name parameters, but `{}` matches none; the parts of this model are {}",
                                        pattern, listed(parts, "and")));
}

using Parameters = torch::OrderedDict<std::string, at::Tensor>;

/// Calls change(parameter) for each parameter that a pattern matches.
template <class Change>
void change_matching(const torch::nn::Module& model, const Parameters& parameters, const char* option,
                     const std::vector<std::string>& patterns, const Change& change) {
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (const auto& parameter : parameters) {
      if (!matches_parameter(pattern, parameter.key())) continue;
      change(parameter.value());
      any = true;
    }
    if (!any) fail_without_match(model, option, pattern);
  }
}

/// Whether LoRA matrices are merged into this weight.
bool is_merged(const Parameters& parameters, std::string_view name) {
  constexpr std::string_view kWeight = "weight";
  if (!name.ends_with(kWeight)) return false;
  return parameters.contains(fmt::format("{}lora.down", name.substr(0, name.size() - kWeight.size())));
}

}  // namespace

bool matches_parameter(std::string_view pattern, std::string_view name) {
  for (size_t end = name.find('.'); end != std::string_view::npos; end = name.find('.', end + 1)) {
    if (matches_whole(pattern, name.substr(0, end))) return true;
  }
  return matches_whole(pattern, name);
}

void train_beside_lora(torch::nn::Module& model, const std::vector<std::string>& patterns) {
  const Parameters all = model.named_parameters();
  Parameters own;
  for (const auto& parameter : all) {
    if (!is_merged(all, parameter.key())) own.insert(parameter.key(), parameter.value());
  }
  change_matching(model, own, "train.adapter.modules-to-save", patterns,
                  [](const at::Tensor& parameter) { parameter.set_requires_grad(true); });
}

void freeze_parameters(torch::nn::Module& model, const std::vector<std::string>& patterns) {
  constexpr const char* kOption = "train.freeze";
  const Parameters parameters = model.named_parameters();
  change_matching(model, parameters, kOption, patterns,
                  [](const at::Tensor& parameter) { parameter.set_requires_grad(false); });
  const bool trains = std::ranges::any_of(parameters, [](const auto& item) { return item.value().requires_grad(); });
  if (!trains) throw ConfigError(kOption, "must leave something to train, but matches all parameters");
}

}  // namespace heed::training
