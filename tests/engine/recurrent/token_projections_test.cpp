#include "heed/engine/recurrent/token_projections.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "engine/both_backends.h"
#include "support/tiny_models.h"

namespace heed::engine {
namespace {

TEST(TokenProjections, KeepsTheRowsOfWordsWithinItsRoom) {
  const models::ArchitectureOptions network = testing::tiny_rnn();
  const BothBackends both(network);
  const Weights weights(both.directory.file("model.safetensors"), models::parameter_shapes(network, kSizes));
  const EmbeddingTable embedding{.weight = weights.get("decoder.embedding.weight"), .scale = 4};
  const nn::RecurrentCellOptions options{.d_input = 16, .d_hidden = 16, .kind = nn::CellKind::Gru, .d_extra = 16};
  const RecurrentCell cell(weights, "decoder.cells.0", options, Precision::Float32);
  RecurrentCell::Scratch scratch(Precision::Float32);
  TokenProjections projections(cell, embedding, /*room=*/4);
  for (const std::vector<int32_t>& tokens : std::vector<std::vector<int32_t>>{
           {5, 6, 5}, {6, 7, 8}, {9, 5, 5, 9}, {1, 2, 3, 4, 5, 6}, {6, 1}, {39, 38, 37, 36, 35, 34, 33}}) {
    std::vector<const float*> rows;
    projections.look_up(tokens, scratch, rows);
    ASSERT_EQ(rows.size(), tokens.size());
    for (size_t i = 0; i < tokens.size(); ++i) {
      Rows x, alone;
      x.resize(1, 16);
      embedding.look_up(tokens[i], x.row(0));
      cell.project(x, scratch, alone);
      EXPECT_TRUE(std::equal(rows[i], rows[i] + 48, alone.row(0))) << tokens[i];
    }
  }
}

}  // namespace
}  // namespace heed::engine
