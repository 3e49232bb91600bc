// Where a model looked in what is not text, a picture, a sound or other vectors, as it wrote each word: as in Xu et al.
// 2015 (https://arxiv.org/abs/1502.03044), Figure 3. Of a grid there is a map for each word, laid over the item where
// it can be seen: what the model did not look at lies in the dark. Of a sequence there is a row for each word, with
// time to the right. The scale of each word ends at its own largest weight, which stands beside it.
// If the model has channel attention, a row of cells for each layer has the weights of its feature maps, from 0 to 1.
// With spatial attention each layer also has a map of its places.
#pragma once

#include <string>
#include <vector>

#include "heed/core/files/vector_layout.h"
#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// A layer of convolutions with channel attention (heed_torch/nn/attention/channel_attention.h); all weights lie
/// between 0 and 1.
struct LayerMap {
  std::vector<float> channels;     ///< of each feature map
  std::vector<float> places = {};  ///< of each place [rows * columns]; empty without spatial attention
  GridShape shape = {};            ///< of the places
  double step = 1;                 ///< place i of a side: the vectors from begin + i * step on
  double begin = 0;
};

struct ItemMap {
  text::Alignment words;  ///< what was written, with the weights over the words beside the item, if there are any
  bool is_grid = false;   ///< else a sequence
  GridShape item = {};    ///< its vectors: pixels, frames
  GridShape shape = {};   ///< of the positions that the encoder read
  double step = 1;        ///< position i of a side stands for the vectors from begin + i * step on
  double begin = 0;
  text::AlignmentWeights weights;     ///< [target][rows * columns]
  std::vector<LayerMap> layers = {};  ///< the first layer's first
  std::string picture = {};           ///< a PNG file: what the item looks like; empty: nothing
};

/// name: of the item among those of its document.
Drawing draw_item_map(const ItemMap& map, const std::string& name);
/// The places and feature maps of largest weight in words: "red: row 2, column 5 (0.83); layer 1: feature map 3
/// (0.91)".
std::string describe_item_map(const ItemMap& map);

}  // namespace heed::report
