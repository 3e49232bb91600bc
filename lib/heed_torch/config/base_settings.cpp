#include "heed_torch/config/base_settings.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/error.h"
#include "heed/core/files/regular_file.h"
#include "heed/text/tokenizers/tokenizer_files.h"
#include "heed_torch/config/run_settings.h"

namespace heed::config {
namespace {

std::string settings_file(const std::string& model) { return model + "/config.toml"; }

bool names_any(const std::vector<Layer>& layers, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return !last_value(layers, name).empty(); });
}

bool is_of_network(std::string_view name) {
  return name == "task" || name == "preset" || name.starts_with("arch.") || name.starts_with("images.") ||
         name.starts_with("audio.") || name.starts_with("search.");
}

/// The options that describe the model itself. It does not matter how it was trained, or with which version of heed.
RunOptions read_base(const std::string& from) {
  return read_saved_options(settings_file(from),
                            [](std::string_view name) { return is_of_network(name) || name.starts_with("text."); });
}

struct Base {
  RunOptions options;
  std::string file;
};
Base find_base(const std::string& from) {
  const std::string file = settings_file(from);
  if (!path_exists(file)) {
    throw ConfigError("from", fmt::format("must be a model directory, but {} {}", from,
                                          path_exists(from) ? "has no config.toml" : "does not exist"));
  }
  return {.options = read_base(from), .file = file};
}

/// Options of sampling: how training lines are segmented differently in every epoch.
bool is_of_sampling(std::string_view name) { return name.starts_with("text.sampling") || name == "text.dropout"; }

/// Adds the values of the options that are wanted: those of the network, of the text, or of sampling.
template <class Wanted>
void add_values(Layer& layer, const Base& base, const Wanted& wanted) {
  RunOptions walked = base.options;
  for (const OptionValue& option : option_values(visit_options(walked))) {
    if (wanted(option.name)) layer.push_back({.name = option.name, .values = option.values, .place = base.file});
  }
}

/// Adds the tokenizer files as given ones. A joint tokenizer is given once. A model that does not write text only has
/// the source's tokenizer.
void add_tokenizers(Layer& layer, const Base& base, const std::string& from, bool with_files) {
  const bool has_target = writes_text(base.options.task);
  const text::Tokenizers tokenizers = text::load_tokenizers(from);
  const auto add = [&](const char* name, std::string value) {
    layer.push_back({.name = name, .values = {std::move(value)}, .place = base.file});
  };
  if (!tokenizers.source && !has_target) return;
  add("text.tokenizers", std::string(ExistingTokenizers::kName));
  if (!with_files) return;
  const auto path = [&](const char* side, const text::Tokenizer& tokenizer) {
    return fmt::format("{}/{}.{}", from, side, tokenizer.file_ending());
  };
  if (tokenizers.source) add("text.source-tokenizer", path("source", *tokenizers.source));
  if (has_target && tokenizers.source != tokenizers.target)
    add("text.target-tokenizer", path("target", *tokenizers.target));
  add_values(layer, base, is_of_sampling);
  add_values(layer, base, [](std::string_view name) { return name.starts_with("text.protect"); });
}

/// Dropout and initial values belong to the training, not to the network.
bool may_differ(std::string_view name) { return name.ends_with("dropout") || name.starts_with("arch.initialization."); }

/// The first contradiction; preferably that of an option `.type`, which explains the differences of its other options.
std::optional<Difference> contradiction(RunOptions base, RunOptions now) {
  auto found = differences(visit_options(base), visit_options(now));
  std::erase_if(found, [](const Difference& difference) {
    const bool of_network = difference.name == "task" || difference.name.starts_with("arch.");
    return !of_network || !difference.shared || may_differ(difference.name);
  });
  if (found.empty()) return std::nullopt;
  const auto choice =
      std::ranges::find_if(found, [](const Difference& difference) { return difference.name.ends_with(".type"); });
  return choice == found.end() ? found.front() : *choice;
}

void require_same_network(const RunOptions& options, const RunOptions& base) {
  const auto found = contradiction(base, options);
  if (!found) return;
  throw ConfigError(found->name, fmt::format("must be {}, as in the model {} that the training begins with (`from`), "
                                             "but is {}",
                                             found->before, options.base.from, found->after));
}

void require_base(const RunOptions& options, const char* option) {
  if (options.base.gives_weights()) return;
  throw ConfigError(option, "needs the weights of a trained model: name it with `from`");
}

}  // namespace

Layer base_settings(const std::vector<Layer>& layers) {
  const std::string from = last_value(layers, "from");
  Layer layer;
  if (from.empty()) return layer;
  const BasePart part = enum_value<BasePart>(last_value(layers, "from-part")).value_or(BasePart::Both);
  const Base base = find_base(from);
  if (part != BasePart::Tokenizers) add_values(layer, base, is_of_network);
  const bool learned_there = std::holds_alternative<LearnedTokenizers>(base.options.text.tokenizers);
  const bool learns = part == BasePart::Weights || last_value(layers, "text.tokenizers") == LearnedTokenizers::kName;
  if (learns && learned_there) {
    add_values(layer, base, [](std::string_view name) { return name.starts_with("text."); });
  } else if (!learns) {
    add_tokenizers(layer, base, from, !names_any(layers, {"text.source-tokenizer", "text.target-tokenizer"}));
  }
  return layer;
}

void validate_base(const RunOptions& options) {
  const BaseOptions& base = options.base;
  if (base.from.empty() && base.part != BasePart::Both) throw ConfigError("from-part", "has no effect without `from`");
  if (std::holds_alternative<nn::LoraOptions>(options.train.adapter)) require_base(options, "train.adapter.type");
  if (!base.gives_weights()) return;
  if (!options.vectors.source.empty() || !options.vectors.target.empty()) {
    throw ConfigError(options.vectors.source.empty() ? "vectors.target" : "vectors.source",
                      "does not go with `from`, whose embeddings are trained already");
  }
  if (!path_exists(settings_file(base.from))) return;  // a resumed training does not need it any more
  require_same_network(options, read_base(base.from));
}

}  // namespace heed::config
