// Maps of what a model looked at in items, with pictures of them.
#pragma once

#include <memory>
#include <vector>

#include "heed/architecture/source_options.h"
#include "heed/report/item_map.h"
#include "heed/search/source_item.h"
#include "heed_torch/api/torch_model.h"

namespace heed::apps {

class ItemMaps {
 public:
  /// The model must read vectors if items are shown.
  explicit ItemMaps(const api::UsedModel& used);

  /// item: null where nothing was read. words: what was written, with the weights over the words beside the item.
  /// weights: of each of them, over the vectors that the encoder read. What channel attention weighted is found here.
  report::ItemMap of(const search::SourceItem* item, text::Alignment words, text::AlignmentWeights weights) const;

 private:
  std::vector<report::LayerMap> layers_of(const search::SourceItem& item) const;

  std::shared_ptr<models::Model> model_;
  at::Device device_;
  models::VectorOptions vectors_;
};

/// What an item looks like, as a PNG file: pixels as they are where they are gray or in color; of wider vectors in a
/// grid their mean; of a sequence a column for each vector, its first number at the bottom. All but pixels are gray,
/// from the least number of the item to the greatest.
std::string picture_of(const search::SourceItem& item, bool is_grid);

}  // namespace heed::apps
