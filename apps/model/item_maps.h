// Maps of what a model looked at in items, with pictures of them.
#pragma once

#include "heed/models/sources/options.h"
#include "heed/report/item_map.h"
#include "heed/search/source_item.h"

namespace heed::apps {

class ItemMaps {
 public:
  /// vectors: of the model. It must outlive this.
  explicit ItemMaps(const models::VectorOptions& vectors) : vectors_(vectors) {}

  /// item: null where nothing was read. words: what was written, with the weights over the words beside the item.
  /// weights: of each of them, over the vectors that the encoder read.
  report::ItemMap of(const search::SourceItem* item, text::Alignment words, text::AlignmentWeights weights) const;

 private:
  const models::VectorOptions& vectors_;
};

/// What an item looks like, as a PNG file: pixels as they are where they are gray or in color; of wider vectors in a
/// grid their mean; of a sequence a column for each vector, its first number at the bottom. All but pixels are gray,
/// from the least number of the item to the greatest.
std::string picture_of(const search::SourceItem& item, bool is_grid);

}  // namespace heed::apps
