#include "heed_torch/config/setup/source_vectors.h"

#include <gtest/gtest.h>

#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/vector_file.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

using heed::testing::message_of;

struct VectorFiles : ::testing::Test {
  VectorFiles() {
    VectorWriter grids(grid_file, 2, NumberType::F32, VectorItems::Grids);
    grids.add({2, 3}, std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    grids.finish();
    VectorWriter sequences(sequence_file, 2, NumberType::F32);
    sequences.add({1, 2}, std::vector<float>{1, 5, 3, 5});
    sequences.add({1, 1}, std::vector<float>{5, 5});
    sequences.finish();
  }
  RunOptions run(const std::string& file, const models::VectorForm& form = {}) const {
    RunOptions options;
    options.corpus.vectors = file;
    options.arch.vectors.type = models::ProjectedVectors{.form = form};
    return options;
  }

  testing::TemporaryDirectory directory;
  std::string grid_file = directory.file("grids.safetensors"), sequence_file = directory.file("sequences.safetensors");
};

TEST_F(VectorFiles, FormFollowsFromTheFile) {
  for (const bool grid : {true, false}) {
    RunOptions options = run(grid ? grid_file : sequence_file);
    adopt_vector_form(options);
    EXPECT_EQ(models::form_of(options.arch.vectors)->width, 2);
    EXPECT_EQ(models::form_of(options.arch.vectors)->grid, grid);
  }
  RunOptions text;
  adopt_vector_form(text);
  EXPECT_EQ(text, RunOptions{});
}

TEST_F(VectorFiles, AnotherFormThanTheFilesIsRefused) {
  RunOptions wide = run(grid_file, {.width = 3});
  EXPECT_EQ(message_of<ConfigError>([&] { adopt_vector_form(wide); }),
            "`arch.vectors.width` must be 2, as in " + grid_file + ", but is 3");
  RunOptions sequences = run(grid_file, {.grid = false});
  EXPECT_EQ(message_of<ConfigError>([&] { adopt_vector_form(sequences); }),
            "`arch.vectors.grid` must be true: " + grid_file + " has grids");
}

TEST_F(VectorFiles, AreOpenedAsTheModelReadsThem) {
  RunOptions options = run(grid_file);
  adopt_vector_form(options);
  options.arch.vectors.type =
      models::PatchVectors{.form = *models::form_of(options.arch.vectors), .grid = {}, .size = 2};
  EXPECT_EQ(open_vectors(grid_file, options.arch.vectors)->length(0), 2);  // 2 x 3 pixels in patches of 2 x 2
  EXPECT_EQ(open_vectors("", options.arch.vectors), nullptr);
  EXPECT_EQ(
      message_of<InputError>([&] { open_vectors(sequence_file, options.arch.vectors); }),
      sequence_file + ": has sequences of vectors of 2 numbers, but the model reads grids of vectors of 2 numbers");
}

TEST_F(VectorFiles, GridsThatThereAreNoPositionsForAreRefused) {
  RunOptions options = run(grid_file);
  adopt_vector_form(options);
  const models::GridPositionOptions positions{.positions = models::GridPositions::Learned, .longest_side = 2};
  options.arch.vectors.type =
      models::ProjectedVectors{.form = *models::form_of(options.arch.vectors), .grid = positions};
  EXPECT_EQ(message_of<InputError>([&] { open_vectors(grid_file, options.arch.vectors); }),
            grid_file +
                ": item 1: 2 rows and 3 columns are more than the model has positions for: 2 "
                "(arch.vectors.longest-side)");
}

TEST_F(VectorFiles, AreStandardizedOverAllOfTheTrainingFile) {
  RunOptions options = run(sequence_file);
  adopt_vector_form(options);
  options.arch.encoder.type = models::IdentityEncoderOptions{};
  options.arch.tied_embeddings = models::TiedEmbeddings::None;
  const auto model = models::build_model(options.arch, {.source = 0, .target = 9}, 1);
  measure_vectors(*model, *open_vectors(sequence_file, options.arch.vectors));
  const auto buffers = model->named_buffers();
  const at::Tensor mean = buffers["encoder.vectors.mean"], deviation = buffers["encoder.vectors.deviation"];
  EXPECT_TRUE(at::allclose(mean, at::tensor({3.0F, 5.0F})));  // of 1, 3, 5 and of 5, 5, 5
  EXPECT_NEAR(deviation[0].item<double>(), std::sqrt(8.0 / 3), 1e-6);
  EXPECT_EQ(deviation[1].item<double>(), 1);
}

}  // namespace
}  // namespace heed::config
