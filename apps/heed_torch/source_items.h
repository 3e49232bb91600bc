// Sources that are vectors, or pictures or sounds that become vectors, for a model that reads them.
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
  /// has_text: whether the item stands beside text. Throws InputError where it is damaged.
  virtual std::shared_ptr<const search::SourceItem> read(int64_t item, bool has_text) const = 0;
  /// The file that names or holds them.
  virtual const std::string& path() const = 0;
};

/// Null for a model that reads text alone. Throws ConfigError where several kinds are named, another than the model in
/// `directory` reads, or none that it needs, and what opening files throws.
std::unique_ptr<const SourceItems> open_items(const ItemFiles& files, const std::string& directory,
                                              const config::ModelOptions& model);

}  // namespace heed::apps
