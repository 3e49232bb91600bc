// Where a model looked in what is not text, a picture, a sound or other vectors, as it wrote each word: as in Xu et al.
// 2015 (https://arxiv.org/abs/1502.03044), Figure 3. Of a grid there is a map for each word, laid over the item where
// it can be seen: what the model did not look at lies in the dark. Of a sequence there is a row for each word, with time
// to the right. The scale of each word ends at its own largest weight, which stands beside it.
#pragma once

#include <string>

#include "heed/core/files/vector_layout.h"
#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

struct ItemMap {
  text::Alignment words;           ///< what was written, with the weights over the words beside the item, if there are any
  bool is_grid = false;            ///< else a sequence
  GridShape shape = {};            ///< of the positions that the encoder read
  text::AlignmentWeights weights;  ///< [target][rows * columns]
  std::string picture = {};        ///< a PNG file: what the item looks like; empty: nothing
};

/// name: of the item among those of its document.
Drawing draw_item_map(const ItemMap& map, const std::string& name);
/// The places of largest weight in words: "red: row 2, column 5 (0.83); ...".
std::string describe_item_map(const ItemMap& map);

}  // namespace heed::report
