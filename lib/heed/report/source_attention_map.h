// The attention of each word to an image, audio or other vectors, as in Xu et al. 2015
// (https://arxiv.org/abs/1502.03044), Figure 3.
// - A grid has a map per word, laid over the image of the item, if there is one: regions without attention are dark.
// - A sequence has a row per word, with time from left to right.
//
// The scale of each word ends at its largest weight, which is printed next to it. With channel attention, each layer
// has a row of cells with the weights of its feature maps, from 0 to 1. With spatial attention, each layer also has a
// map.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "heed/core/files/vector_layout.h"
#include "heed/report/markup.h"
#include "heed/text/alignment.h"

namespace heed::report {

/// A convolutional layer with channel attention (heed_torch/nn/attention/channel_attention.h). All weights are from 0
/// to 1.
struct LayerMap {
  std::vector<float> channels;     ///< per feature map
  std::vector<float> places = {};  ///< per place [rows * columns]; empty without spatial attention
  GridShape shape = {};            ///< of the places
  double step = 1;                 ///< place i of a side covers the vectors from begin + i * step
  double begin = 0;
};

struct SourceAttentionMap {
  text::Alignment words;  ///< the written words, and their weights over the text of the source, if it has text too
  bool is_grid = false;   ///< false: a sequence
  GridShape item = {};    ///< its vectors: pixels or frames
  GridShape shape = {};   ///< of the encoder positions
  double step = 1;        ///< position i of a side covers the vectors from begin + i * step
  double begin = 0;
  text::AlignmentWeights weights;     ///< [target][rows * columns]
  std::vector<LayerMap> layers = {};  ///< first layer first
  std::string picture = {};           ///< a PNG file that shows the item; empty: none
};

/// name: the id of the item, unique in its document.
Drawing draw_item_map(const SourceAttentionMap& map, const std::string& name);
/// The places and feature maps with the largest weights, in words: "red: row 2, column 5 (0.83); layer 1: feature map 3
/// (0.91)".
std::string describe_item_map(const SourceAttentionMap& map);

/// "layer 1" for index 0.
std::string layer_name(size_t index);
/// Channel attention as an image: one row of cells per layer, in the colors of a heat map from 0 to 1. Pointing at a
/// cell shows its feature map and its weight.
Drawing draw_channels(std::span<const LayerMap> layers);

}  // namespace heed::report
