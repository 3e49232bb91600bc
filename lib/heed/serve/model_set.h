// The models of a server, by language pair.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heed/serve/language.h"
#include "heed/serve/served_model.h"

namespace heed::serve {

/// A language pair that a model translates.
struct PairOfModel {
  LanguagePair languages;
  std::string target_tag = {};  ///< of a model with several target languages
};

/// A model directory and its languages.
struct ModelSource {
  std::string directory;
  std::vector<PairOfModel> pairs;
};

/// Parses `[PAIR[:TAG][,PAIR[:TAG]]...=]DIR`, such as `en-de=models/news` or `en-de:<2de>,en-fr:<2fr>=models/many`.
/// Without pairs the model itself must tell them (languages_of_model). Throws ConfigError about `--model`; FileError.
ModelSource parse_model(const std::string& text);
/// Parses all. Throws ConfigError if two have the same pair, or there are none.
std::vector<ModelSource> parse_models(const std::vector<std::string>& texts);

class ModelSet {
 public:
  /// Opens all models. on_open: called before each. Throws what ServedModel throws.
  ModelSet(const std::vector<ModelSource>& sources, const api::OpenOptions& options,
           const std::function<void(const ModelSource& source)>& on_open = {});

  struct Entry {
    std::shared_ptr<const ServedModel> model;
    std::string target_tag;
  };
  /// Null: no model has this pair.
  const Entry* find(const LanguagePair& languages) const;
  const std::map<LanguagePair, Entry>& entries() const { return entries_; }
  /// The target languages of each source language, both sorted.
  const std::map<std::string, std::vector<std::string>>& targets() const { return targets_; }
  bool has_target(const std::string& language) const;
  /// Whether all models may translate lines of several requests together.
  bool mixes_requests() const;

 private:
  std::map<LanguagePair, Entry> entries_;
  std::map<std::string, std::vector<std::string>> targets_;
};

/// The current models, which may be replaced while others are in use.
class CurrentModels {
 public:
  explicit CurrentModels(std::shared_ptr<const ModelSet> models) : models_(std::move(models)) {}

  std::shared_ptr<const ModelSet> get() const {
    const std::lock_guard lock(mutex_);
    return models_;
  }
  void replace(std::shared_ptr<const ModelSet> models) {
    const std::lock_guard lock(mutex_);
    models_ = std::move(models);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const ModelSet> models_;
};

}  // namespace heed::serve
