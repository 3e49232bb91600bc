// The names and shapes that the options describe are those of the network that LibTorch builds.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "heed/architecture/architecture.h"
#include "heed_torch/checkpoint/named_tensors.h"
#include "heed_torch/models/model.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using namespace heed::testing;

void expect_described(const std::string& name, const ArchitectureOptions& options, const VocabularySizes& sizes) {
  ParameterShapes built;
  for (const auto& [tensor, value] : checkpoint::named_tensors(*std::make_shared<Model>(options, sizes))) {
    built[tensor] = value.sizes().vec();
  }
  EXPECT_EQ(parameter_shapes(options, sizes), built) << name;
}

TEST(ParameterShapes, AreThoseOfEveryNetwork) {
  for (const auto& [name, options] : architecture_grid()) {
    expect_described(name, options, {.source = 11, .target = options.tied_embeddings == TiedEmbeddings::All ? 11 : 13});
  }
}

TEST(ParameterShapes, AreThoseOfLanguageModels) {
  for (ArchitectureOptions options : {tiny_transformer(), tiny_rnn(), tiny_convolution()}) {
    options.encoder.type = NoEncoderOptions{};
    if (auto* recurrent = std::get_if<RnnDecoderOptions>(&options.decoder.type)) {
      recurrent->attention = NoMemoryAttention{};
      recurrent->initial_state = ZeroState{};
    }
    expect_described("language model", options, {.source = 0, .target = 11});
  }
}

TEST(ParameterShapes, AreThoseOfEncodersInEachDirection) {
  for (const auto& [direction, name] : option_names(EncoderDirection{})) {
    ArchitectureOptions options = tiny_rnn();
    options.encoder.type = RnnEncoderOptions{.stack = {.layers = 3, .hidden = 8}, .direction = direction};
    expect_described(std::string(name), options, {.source = 11, .target = 13});
  }
}

TEST(ParameterShapes, AreThoseOfHeads) {
  ArchitectureOptions options = tiny_rnn();
  options.decoder.type = NoDecoderOptions{};
  options.tied_embeddings = TiedEmbeddings::None;
  options.output_bias = true;
  std::get<RnnEncoderOptions>(options.encoder.type).direction = EncoderDirection::BothFirst;
  std::get<RnnEncoderOptions>(options.encoder.type).stack.layers = 2;
  std::vector<HeadOptions> heads{{LabelHeadOptions{}}, {LabelHeadOptions{.crf = true}}};
  for (const PoolingOptions& pooling : std::vector<PoolingOptions>{AttentionPooling{}, AttentionPooling{.hidden = 5},
                                                                   MeanPooling{}, MaxPooling{}, LastPooling{}}) {
    heads.push_back({ClassHeadOptions{.pooling = pooling}});
    heads.push_back({NumberHeadOptions{.pooling = pooling}});
  }
  for (const HeadOptions& head : heads) {
    options.head = head;
    expect_described(name_of(head.type), options, {.source = 11, .target = 4});
    ArchitectureOptions bag = options;
    bag.encoder.type = IdentityEncoderOptions{};
    expect_described("identity, " + name_of(head.type), bag, {.source = 11, .target = 4});
  }
}

TEST(ParameterShapes, AreThoseOfReadersOfVectors) {
  for (const bool grid : {true, false}) {
    const VectorForm form{.width = 3, .grid = grid}, raw{.width = 3, .grid = grid, .standardize = false};
    GridPositionOptions learned, none;
    if (grid) learned = {.positions = GridPositions::Learned, .longest_side = 6};
    std::vector<VectorOptions> readers{{ProjectedVectors{.form = form, .grid = learned}},
                                       {ProjectedVectors{.form = raw, .grid = none}},
                                       {PatchVectors{.form = form, .grid = learned, .size = 2}}};
    for (const nn::ChannelAttentionOptions& attention : std::vector<nn::ChannelAttentionOptions>{
             nn::NoChannelAttention{}, nn::SqueezeExcitation{.network = {.reduction = 2}},
             nn::Cbam{.network = {.reduction = 4}}}) {
      readers.push_back({ConvolvedVectors{
          .form = form, .grid = learned, .layers = 3, .channels = 8, .kernel = 5, .channel_attention = attention}});
    }
    for (const VectorOptions& vectors : readers) {
      ArchitectureOptions options = tiny_transformer();
      options.vectors = vectors;
      expect_described(name_of(vectors.type), options, {.source = 0, .target = 11});
      expect_described("text and " + name_of(vectors.type), options, {.source = 9, .target = 11});
    }
  }
}

}  // namespace
}  // namespace heed::models
