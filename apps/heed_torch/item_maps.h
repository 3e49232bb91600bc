// Attention maps over source items, with images of the items.
#pragma once

#include <memory>
#include <vector>

#include "heed/architecture/source_options.h"
#include "heed/report/source_attention_map.h"
#include "heed/search/source_item.h"
#include "heed_torch/api/torch_model.h"

namespace heed::apps {

class ItemMaps {
 public:
  /// The model must read vectors if items are shown.
  explicit ItemMaps(const api::OpenedTorchModel& used);

  /// item: null if there is no source item. words: the written words, with their weights over the source words.
  /// weights: of each written word, over the vectors that the encoder read. Adds the weights of channel attention.
  report::SourceAttentionMap of(const search::SourceItem* item, text::Alignment words,
                                text::AlignmentWeights weights) const;

 private:
  std::vector<report::LayerMap> layers_of(const search::SourceItem& item) const;

  std::shared_ptr<models::Model> model_;
  at::Device device_;
  models::VectorOptions vectors_;
};

/// A PNG image of an item. Gray and color pixels stay as they are. A grid of wider vectors shows their means. A
/// sequence has a column for each vector, with its first number at the bottom. All but pixels are gray, scaled from the
/// smallest to the largest number of the item.
std::string picture_of(const search::SourceItem& item, bool is_grid);

}  // namespace heed::apps
