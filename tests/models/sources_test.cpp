// How vectors of a source become what an encoder reads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <torch/torch.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed_torch/models/model.h"
#include "heed_torch/models/sources/source_reader.h"
#include "heed_torch/nn/initialization.h"
#include "support/message_of.h"
#include "support/tiny_models.h"

namespace heed::models {
namespace {

using heed::testing::message_of;
using heed::testing::tiny_convolution;
using heed::testing::tiny_rnn;
using heed::testing::tiny_transformer;

constexpr int64_t kWidth = 3;
const nn::SqueezeExcitation kSqueezeExcitation{.network = {.reduction = 2}};
const nn::Cbam kCbam{.network = {.reduction = 3}};

VectorForm form(bool grid, bool standardize = false) {
  return {.width = kWidth, .grid = grid, .standardize = standardize};
}

std::vector<VectorOptions> all_kinds(bool grid) {
  const GridPositionOptions positions{.positions = grid ? GridPositions::Sinusoidal : GridPositions::None};
  return {{ProjectedVectors{.form = form(grid), .grid = positions}},
          {ConvolvedVectors{.form = form(grid), .grid = positions, .channels = 5}},
          {ConvolvedVectors{.form = form(grid, true), .grid = positions, .layers = 3, .channels = 5, .kernel = 5}},
          {ConvolvedVectors{.form = form(grid, true), .channels = 6, .channel_attention = kSqueezeExcitation}},
          {ConvolvedVectors{.form = form(grid, true), .channels = 6, .channel_attention = kCbam}},
          {PatchVectors{.form = form(grid), .grid = positions, .size = 3}}};
}

/// These items, padded to the largest; the same numbers whatever stands beside them.
VectorGrid grid_of(const std::vector<GridShape>& shapes, const std::vector<size_t>& items) {
  VectorGrid grid;
  int64_t rows = 0, columns = 0;
  for (const size_t item : items) {
    grid.shapes.push_back(shapes[item]);
    rows = std::max(rows, shapes[item].rows);
    columns = std::max(columns, shapes[item].columns);
  }
  grid.values = torch::zeros({static_cast<int64_t>(items.size()), rows, columns, kWidth});
  for (size_t i = 0; i < items.size(); ++i) {
    const GridShape& shape = shapes[items[i]];
    const Tensor values = torch::sin(torch::arange(shape.vectors() * kWidth) * 0.7 + static_cast<double>(items[i]));
    grid.values[static_cast<int64_t>(i)]
        .slice(0, 0, shape.rows)
        .slice(1, 0, shape.columns)
        .copy_(values.view({shape.rows, shape.columns, kWidth}));
  }
  return grid;
}

const std::vector<GridShape> kGrids{{3, 4}, {6, 2}, {1, 1}, {3, 4}};
const std::vector<GridShape> kSequences{{1, 9}, {1, 4}, {1, 1}, {1, 8}};

TEST(Vectors, PaddingAndNeighborsChangeNothingWhateverTheEncoder) {
  for (const bool grid : {false, true}) {
    const auto& shapes = grid ? kGrids : kSequences;
    for (const VectorOptions& vectors : all_kinds(grid)) {
      for (ArchitectureOptions options : {tiny_transformer(), tiny_rnn(), tiny_convolution()}) {
        options.vectors = vectors;
        options.tied_embeddings = TiedEmbeddings::None;
        const auto model = build_model(options, {.source = 0, .target = 5}, 1);
        if (const auto& reader = model->encoder->reader().vectors(); reader->standardizes()) {
          reader->set_statistics(torch::full({kWidth}, 0.75), torch::full({kWidth}, 0.5));  // padding is not the mean
        }
        model->eval();
        const Memory together = model->encode({Tensor(), grid_of(shapes, {0, 1, 2, 3})});
        for (size_t item = 0; item < shapes.size(); ++item) {
          const Memory alone = model->encode({Tensor(), grid_of(shapes, {item})});
          const int64_t length = shape_left(vectors, shapes[item]).vectors();
          const auto row = static_cast<int64_t>(item);
          ASSERT_EQ(alone.states.size(1), length);
          EXPECT_EQ(together.mask[row].sum().item<int64_t>(), length);
          EXPECT_TRUE(together.mask[row].slice(0, 0, length).all().item<bool>()) << "padding stands behind";
          EXPECT_TRUE(torch::allclose(together.states[row].slice(0, 0, length), alone.states[0], 1e-4, 1e-5))
              << grid << ", vectors " << vectors.type.index() << ", encoder " << options.encoder.type.index();
        }
      }
    }
  }
}

TEST(Vectors, TextAndVectorsStandOneBehindTheOther) {
  ArchitectureOptions options = tiny_transformer();
  options.vectors = {ProjectedVectors{.form = form(false)}};
  options.tied_embeddings = TiedEmbeddings::None;
  options.encoder.type = IdentityEncoderOptions{};
  const auto model = build_model(options, {.source = 9, .target = 5}, 1);
  const Tensor tokens = torch::tensor({{4, 5, 6, 3}, {7, 3, 0, 0}}, torch::kLong);
  const VectorGrid vectors = grid_of(kSequences, {1, 2});
  const Memory memory = model->encode({tokens, vectors});
  EXPECT_EQ(memory.states.size(1), 8);
  EXPECT_TRUE(
      torch::equal(memory.tokens, torch::tensor({{4, 5, 6, 3, 1, 1, 1, 1}, {7, 3, 1, 0, 0, 0, 0, 0}}, torch::kLong)));
  EXPECT_TRUE(torch::equal(memory.mask, memory.tokens.ne(0)));
  const auto parameters = model->named_parameters();
  const Tensor projected = vectors.values[1][0][0].matmul(parameters["encoder.vectors.map.weight"].t()) +
                           parameters["encoder.vectors.map.bias"];
  EXPECT_TRUE(torch::allclose(memory.states[1][2], projected, 1e-5, 1e-6));
}

TEST(Vectors, AreStandardizedByTheStatisticsOfTheTrainingFile) {
  const auto reader = make_vector_reader({ProjectedVectors{.form = form(false, true)}}, 4);
  {
    const torch::NoGradGuard no_grad;
    auto parameters = reader->named_parameters();
    parameters["map.weight"].copy_(torch::eye(4, kWidth));
    parameters["map.bias"].zero_();
  }
  reader->set_statistics(torch::tensor({1.0, 2.0, 3.0}), torch::tensor({2.0, 0.0, 0.5}));
  const Tensor values = torch::tensor({5.0F, 5.0F, 5.0F}).view({1, 1, 1, 3});
  const Tensor states = reader->forward({values, {{1, 1}}}).states[0][0];
  EXPECT_TRUE(torch::equal(states, torch::tensor({2.0F, 3.0F, 4.0F, 0.0F})));  // what never varies has deviation 1
  EXPECT_TRUE(reader->named_buffers().contains("mean"));
}

TEST(Vectors, GridPositionsTellRowsFromColumns) {
  for (const auto positions : {GridPositions::Sinusoidal, GridPositions::Learned}) {
    ArchitectureOptions options = tiny_transformer();
    options.encoder.type = IdentityEncoderOptions{};
    options.tied_embeddings = TiedEmbeddings::None;
    options.vectors = {ProjectedVectors{.form = form(true), .grid = {.positions = positions, .longest_side = 8}}};
    const auto model = build_model(options, {.source = 0, .target = 5}, 1);
    const Memory memory = model->encode({Tensor(), {torch::zeros({1, 3, 3, kWidth}), {{3, 3}}}});
    const Tensor distance = torch::cdist(memory.states[0], memory.states[0]);  // equal vectors at nine places
    EXPECT_EQ(distance.gt(1e-3).sum().item<int64_t>(), 9 * 8);
  }
}

TEST(Vectors, TellWhatChannelAttentionWeighted) {
  for (const bool grid : {false, true}) {
    const auto& shapes = grid ? kGrids : kSequences;
    const auto reader = make_vector_reader(
        {ConvolvedVectors{.form = form(grid), .layers = 3, .channels = 6, .stride = 1, .channel_attention = kCbam}}, 4);
    nn::initialize(*reader, {}, 1);
    const auto together = reader->channel_weights(grid_of(shapes, {0, 1, 2, 3}));
    ASSERT_EQ(together.size(), 3) << "one of each layer";
    for (size_t item = 0; item < shapes.size(); ++item) {
      const auto alone = reader->channel_weights(grid_of(shapes, {item}));
      const auto row = static_cast<int64_t>(item);
      for (size_t layer = 0; layer < 3; ++layer) {
        EXPECT_EQ(alone[layer].channels.sizes(), (std::vector<int64_t>{1, 6}));
        EXPECT_TRUE(torch::allclose(together[layer].channels[row], alone[layer].channels[0]));
        const Tensor real =
            together[layer].places[row].slice(0, 0, shapes[item].rows).slice(1, 0, shapes[item].columns);
        EXPECT_TRUE(torch::allclose(real, alone[layer].places[0]));
      }
    }
  }
  const auto squeezing = make_vector_reader(
      {ConvolvedVectors{.form = form(true), .channels = 6, .channel_attention = kSqueezeExcitation}}, 4);
  const auto weights = squeezing->channel_weights(grid_of(kGrids, {0}));
  ASSERT_EQ(weights.size(), 2);
  EXPECT_FALSE(weights[0].places.defined());
  for (const VectorOptions& without :
       {VectorOptions{ConvolvedVectors{.form = form(true)}}, VectorOptions{ProjectedVectors{.form = form(true)}}}) {
    EXPECT_FALSE(has_channel_attention(without));
    EXPECT_TRUE(make_vector_reader(without, 4)->channel_weights(grid_of(kGrids, {0})).empty());
  }
}

TEST(Vectors, ShapesLeft) {
  const auto left = [](const VectorOptions& options, GridShape shape) { return shape_left(options, shape); };
  EXPECT_EQ(left({ConvolvedVectors{.form = form(false)}}, {1, 9}), (GridShape{1, 3}));
  EXPECT_EQ(left({ConvolvedVectors{.form = form(true)}}, {8, 9}), (GridShape{2, 3}));
  EXPECT_EQ(left({PatchVectors{.form = form(true), .size = 4}}, {8, 9}), (GridShape{2, 3}));
  EXPECT_EQ(left({PatchVectors{.form = form(false), .size = 4}}, {1, 9}), (GridShape{1, 3}));
  EXPECT_EQ(left({ProjectedVectors{.form = form(true)}}, {8, 9}), (GridShape{8, 9}));
}

/// A vector changes most what stands for it.
TEST(Vectors, PositionsStandForWhatTheySee) {
  const auto span = [](const VectorOptions& options) {
    const PositionSpan found = position_span(options);
    return std::pair{found.step, found.begin};
  };
  EXPECT_EQ(span({ProjectedVectors{}}), std::pair(1.0, 0.0));
  EXPECT_EQ(span({PatchVectors{.size = 4}}), std::pair(4.0, 0.0));
  EXPECT_EQ(span({ConvolvedVectors{.layers = 3, .stride = 2}}), std::pair(8.0, -3.5))
      << "vector 8 is in the middle of 1";
  EXPECT_EQ(span({ConvolvedVectors{.layers = 2, .stride = 1}}), std::pair(1.0, 0.0));
}

TEST(Vectors, OptionsThatDoNotFitAreRefused) {
  const auto refusal = [](const VectorOptions& vectors, int64_t d_model = 16) {
    return message_of<ConfigError>([&] { validate(vectors, d_model); });
  };
  const GridPositionOptions sinusoidal{.positions = GridPositions::Sinusoidal};
  EXPECT_EQ(refusal({ProjectedVectors{.form = form(false), .grid = sinusoidal}}),
            "`arch.vectors.grid-positions` must be none: the vectors form sequences, not rows and columns");
  EXPECT_EQ(refusal({ProjectedVectors{.form = form(true), .grid = sinusoidal}}, 6),
            "`arch.vectors.grid-positions` sinusoidal needs an arch.d-model that is a multiple of 4, found 6");
  EXPECT_EQ(refusal({ConvolvedVectors{.form = form(true), .kernel = 4}}),
            "`arch.vectors.kernel` must be odd, so that a position has as many on both sides, found 4");
  EXPECT_EQ(refusal({ConvolvedVectors{.form = form(true), .channels = 10, .channel_attention = kCbam}}),
            "`arch.vectors.channel-attention-reduction` must divide arch.vectors.channels (10), found 3");
  ArchitectureOptions options = tiny_transformer();
  EXPECT_EQ(message_of<ConfigError>([&] { validate(options, {.source = 0, .target = 5}); }),
            "`arch.vectors.type` cannot be none if the source is not text");
}

}  // namespace
}  // namespace heed::models
