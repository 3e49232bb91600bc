#include "heed/serve/model_set.h"

#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::serve {
namespace {

/// The pairs in "en-de:<2de>,en-fr:<2fr>"; absent: it has another form.
std::optional<std::vector<PairOfModel>> parse_pairs(std::string_view text) {
  std::vector<PairOfModel> pairs;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, end - begin);
    const size_t colon = std::min(item.find(':'), item.size());
    const auto languages = parse_pair(item.substr(0, colon));
    if (!languages) return std::nullopt;
    pairs.push_back({*languages, std::string(item.substr(std::min(colon + 1, item.size())))});
    begin = end + 1;
  }
  return pairs;
}

}  // namespace

ModelSource parse_model(const std::string& text) {
  if (const size_t equals = text.find('='); equals != std::string::npos) {
    if (const auto pairs = parse_pairs(std::string_view(text).substr(0, equals))) {
      return {.directory = text.substr(equals + 1), .pairs = *pairs};
    }
  }
  const auto languages = languages_of_model(text);
  if (!languages) {
    throw ConfigError("--model",
                      fmt::format("{} does not tell its languages: name them, such as `--model en-de={}`", text, text));
  }
  return {.directory = text, .pairs = {{*languages}}};
}

std::vector<ModelSource> parse_models(const std::vector<std::string>& texts) {
  if (texts.empty()) throw ConfigError("`--model` is missing: name the directory that `heed train` made");
  std::vector<ModelSource> sources;
  std::map<LanguagePair, std::string> directories;
  for (const std::string& text : texts) {
    const ModelSource& source = sources.emplace_back(parse_model(text));
    for (const PairOfModel& pair : source.pairs) {
      const auto [other, is_new] = directories.emplace(pair.languages, source.directory);
      if (is_new) continue;
      throw ConfigError("--model", fmt::format("names two models for {}: {} and {}", pair.languages.text(),
                                               other->second, source.directory));
    }
  }
  return sources;
}

ModelSet::ModelSet(const std::vector<ModelSource>& sources, const api::OpenOptions& options,
                   const std::function<void(const ModelSource& source)>& on_open) {
  for (const ModelSource& source : sources) {
    if (on_open) on_open(source);
    const auto model = std::make_shared<const ServedModel>(source.directory, options);
    for (const PairOfModel& pair : source.pairs) {
      TranslationSettings settings;
      settings.target_tag = pair.target_tag;
      model->translator(settings);  // for its error
      entries_[pair.languages] = {model, pair.target_tag};
    }
  }
  for (const auto& [languages, entry] : entries_) targets_[languages.source].push_back(languages.target);
}

const ModelSet::Entry* ModelSet::find(const LanguagePair& languages) const {
  const auto found = entries_.find(languages);
  return found == entries_.end() ? nullptr : &found->second;
}

bool ModelSet::has_target(const std::string& language) const {
  return std::ranges::any_of(entries_, [&](const auto& entry) { return entry.first.target == language; });
}

bool ModelSet::mixes_requests() const {
  return std::ranges::all_of(entries_, [](const auto& entry) { return entry.second.model->mixes_requests(); });
}

}  // namespace heed::serve
