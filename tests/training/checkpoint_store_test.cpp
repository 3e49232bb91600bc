#include "heed_torch/training/checkpoint_store.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <filesystem>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed_torch/checkpoint/tensor_file.h"
#include "heed_torch/training/step/micro_batch_loss.h"
#include "support/temporary_directory.h"
#include "support/tiny_models.h"

namespace heed::training {
namespace {

/// Checkpoints of the steps 1, 2 and 3, of which 1 is best and 3 next.
class Keeping : public ::testing::Test {
 protected:
  Keeping() {
    set_log_sink([this](LogLevel, std::string_view message) { warnings.emplace_back(message); });
    for (const auto& [step, loss] : std::map<int64_t, double>{{1, 1.0}, {2, 3.0}, {3, 2.0}}) {
      const torch::NoGradGuard no_grad;
      model->parameters()[0].fill_(static_cast<double>(step));
      TrainingState state;
      state.progress.steps = static_cast<double>(step);
      state.scores.by_name = {{"loss", loss}};
      store({.keep_best = 3}).save(state, {});
    }
    warnings.clear();
  }
  ~Keeping() override { set_log_sink({}); }

  CheckpointStore store(const TrainOptions& options) {
    return {distributed::one_rank(), &directory, *model, *optimizer, options, ValidationMetric::Loss};
  }
  void damage(int64_t step) const {
    const std::string path = checkpoint::checkpoint_model_path(directory.path(), step);
    std::string content = read_file(path);
    content.back() = static_cast<char>(content.back() ^ 1);
    write_file(path, content);
  }

  heed::testing::TemporaryDirectory folder;
  checkpoint::RunDirectory directory{folder.file("model")};
  std::shared_ptr<models::Model> model =
      models::build_model(heed::testing::tiny_transformer(), {.source = 8, .target = 8}, 1);
  std::unique_ptr<Optimizer> optimizer = make_optimizer(AdamOptions{}, trainable_parameters(*model));
  std::vector<std::string> warnings;
};

/// BLEU of a model that has learned nothing is noise, while its loss falls.
TEST_F(Keeping, TheLossDecidesBetweenScoresThatAreEqualToATenth) {
  checkpoint::RunDirectory other(folder.file("other"));
  CheckpointStore by_bleu(distributed::one_rank(), &other, *model, *optimizer, {.keep_best = 3, .average = NoAverage{}},
                          ValidationMetric::Bleu);
  const std::vector<Scores> scores{
      {{"bleu", 0.01}, {"loss", 6.16}}, {{"bleu", 0.00}, {"loss", 5.98}}, {{"bleu", 0.04}, {"loss", 6.00}}};
  TrainingState state;
  for (const Scores& made : scores) {
    state.progress.steps += 1;
    state.scores.by_name = made;
    by_bleu.save(state, {});
  }
  EXPECT_EQ(checkpoint::best_checkpoint(other.path())->step, 2);
  EXPECT_EQ(by_bleu.finish(0, {}).candidates[0].steps, (std::vector<int64_t>{2}));
  state.progress.steps += 1;
  state.scores.by_name = {{"bleu", 0.06}, {"loss", 9}};
  by_bleu.save(state, {});
  EXPECT_EQ(checkpoint::best_checkpoint(other.path())->step, 4);
}

/// Both have a BLEU of 10 to a tenth.
TEST_F(Keeping, AnAverageOfTheSameScoreIsBetterByItsLoss) {
  checkpoint::RunDirectory other(folder.file("other"));
  CheckpointStore by_bleu(distributed::one_rank(), &other, *model, *optimizer, {.average = AverageOfLast{.count = 2}},
                          ValidationMetric::Bleu);
  TrainingState state;
  for (const double loss : {3.0, 2.0}) {
    state.progress.steps += 1;
    state.scores.by_name = {{"bleu", 10.04}, {"loss", loss}};
    by_bleu.save(state, {});
  }
  EXPECT_EQ(by_bleu.finish(0, [] { return Scores{{"bleu", 9.96}, {"loss", 2.1}}; }).chosen, "best");
  EXPECT_EQ(by_bleu.finish(0, [] { return Scores{{"bleu", 9.96}, {"loss", 1.9}}; }).chosen, "averaged");
  by_bleu.write_best_model(0);
  EXPECT_EQ(other.manifest().origin.chosen, "averaged") << "as long as it is better";
}

TEST_F(Keeping, ACheckpointIsAnnouncedBeforeItIsThere) {
  TrainingState state;
  state.progress.steps = 4;
  std::string announced;
  store({}).save(state, {}, [&](const std::string& path) {
    announced = path;
    EXPECT_FALSE(std::filesystem::exists(path));
  });
  EXPECT_EQ(announced, checkpoint::checkpoint_path(directory.path(), 4));
  EXPECT_TRUE(std::filesystem::exists(announced));
}

TEST_F(Keeping, ADirectoryThatWasMovedIsNotWrittenInto) {
  std::filesystem::rename(folder.file("model"), folder.file("moved"));
  TrainingState state;
  state.progress.steps = 4;
  EXPECT_THROW(store({}).save(state, {}), checkpoint::DirectoryMoved);
  EXPECT_THROW(store({}).write_best_model(0), checkpoint::DirectoryMoved);
  EXPECT_THROW(store({}).finish(0, {}), checkpoint::DirectoryMoved);
  EXPECT_FALSE(std::filesystem::exists(folder.file("model")));
}

TEST_F(Keeping, ADamagedBestGivesWayToTheNextBest) {
  damage(1);
  const FinalReport report = store({.average = NoAverage{}}).finish(0, {});
  EXPECT_EQ(report.candidates.at(0).steps, (std::vector<int64_t>{3}));
  EXPECT_EQ(report.chosen, "best");
  EXPECT_EQ(model->parameters()[0].flatten()[0].item<float>(), 3);
  EXPECT_EQ(warnings, std::vector{checkpoint::checkpoint_model_path(directory.path(), 1) +
                                  ": is damaged: its checksum is not the manifest's; this checkpoint is skipped"});
  EXPECT_EQ(directory.manifest().origin.steps, (std::vector<int64_t>{3}));
}

TEST_F(Keeping, TheManifestTellsHowLongTheLinesOfAStreamWere) {
  TrainingState state;
  state.progress.steps = 4;
  EXPECT_EQ(directory.manifest().usual_source_length, std::nullopt) << "the text was stored";
  state.position.lines = data::StreamedLines{.usual_source_length = 17};
  store({}).save(state, {});
  EXPECT_EQ(checkpoint::read_manifest(directory.path()).usual_source_length, 17);
  directory.describe_run(1, {});  // as a start does that goes on
  store({}).resume();
  EXPECT_EQ(checkpoint::read_manifest(directory.path()).usual_source_length, 17);
}

TEST_F(Keeping, ADamagedCheckpointIsNotAveraged) {
  damage(1);
  const FinalReport report = store({.average = AverageOfBest{.count = 3}}).finish(0, {});
  EXPECT_EQ(report.candidates.at(1).steps, (std::vector<int64_t>{2, 3}));
  damage(2);
  EXPECT_EQ(store({.average = AverageOfBest{.count = 3}}).finish(0, {}).candidates.size(), 1U);
}

TEST_F(Keeping, TheAverageIsTheMean) {
  for (int64_t step = 4; step <= 5; ++step) {  // without scores, so that the average is chosen
    const torch::NoGradGuard no_grad;
    model->parameters()[0].fill_(static_cast<double>(10 * step));
    TrainingState state;
    state.progress.steps = static_cast<double>(step);
    store({.keep_best = 1, .keep_last = 9}).save(state, {});
  }
  for (const int64_t step : {1, 2, 3}) std::filesystem::remove_all(checkpoint::checkpoint_path(directory.path(), step));
  const FinalReport report = store({.average = AverageOfLast{.count = 2}}).finish(0, {});
  EXPECT_EQ(report.chosen, "averaged");
  EXPECT_EQ(report.candidates.at(1).steps, (std::vector<int64_t>{4, 5}));
  const auto published = checkpoint::read_tensors(directory.file("model.safetensors")).tensors;
  const std::string name = model->named_parameters()[0].key();
  EXPECT_TRUE(published.at(name).eq(45).all().item<bool>());
  EXPECT_TRUE(model->parameters()[0].eq(45).all().item<bool>()) << "which is what validation scores";
}

TEST_F(Keeping, AnAverageThatAnEarlierEndLeftStaysWhileItIsBetter) {
  const auto publish_average = [&](double loss) {
    directory.write_model(checkpoint::named_tensors(*model),
                          {.chosen = "averaged", .steps = {1, 3}, .scores = {.by_name = {{"loss", loss}}}});
    store({}).write_best_model(0);
    return directory.manifest().origin.chosen;
  };
  EXPECT_EQ(publish_average(0.5), "averaged");
  EXPECT_EQ(publish_average(1.5), "best");
  directory.write_model(checkpoint::named_tensors(*model), {.chosen = "averaged", .steps = {1, 3}, .scores = {}});
  store({}).write_best_model(0);
  EXPECT_EQ(directory.manifest().origin.chosen, "best") << "nothing is known of it";
}

TEST_F(Keeping, OfDamagedCheckpointsNoModelIsMade) {
  for (const int64_t step : {1, 2, 3}) damage(step);
  EXPECT_THROW(store({.average = NoAverage{}}).finish(0, {}), CheckpointError);
  EXPECT_THROW(store({.average = NoAverage{}}).write_best_model(0), CheckpointError);
  EXPECT_FALSE(directory.manifest().files.contains("model.safetensors"));
}

}  // namespace
}  // namespace heed::training
