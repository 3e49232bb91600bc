// Sources with vectors, or images or audio that become vectors, for a model that reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heed/model_directory/model_options.h"
#include "heed/search/source_item.h"
#include "translate/item_files.h"

namespace heed::apps {

class SourceItems {
 public:
  virtual ~SourceItems() = default;
  virtual int64_t size() const = 0;
  /// has_text: whether the source also has text. Throws InputError if the item is damaged.
  virtual std::shared_ptr<const search::SourceItem> read(int64_t item, bool has_text) const = 0;
  /// The file with the items or with their list.
  virtual const std::string& path() const = 0;
};

/// Null for a model that reads text only. Throws ConfigError if several kinds are given, if the model in `directory`
/// reads another kind, or if the kind that it needs is missing. Throws what opening files throws.
std::unique_ptr<const SourceItems> open_items(const ItemFiles& files, const std::string& directory,
                                              const config::ModelOptions& model);

}  // namespace heed::apps
