#include "heed/training/trainer_setup.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>

#include "heed/core/error.h"
#include "support/message_of.h"
#include "support/tiny_models.h"
#include "training/toy_task.h"

namespace heed::training {
namespace {

using heed::testing::ToyTask;

TEST(ReplicaCount, IsOneAThreadOnTheCpuAndOneElsewhere) {
  EXPECT_EQ(replica_count({}, c10::kCPU, 4), 4);
  EXPECT_EQ(replica_count({.replicas = 3}, c10::kCPU, 4), 3);
  EXPECT_EQ(replica_count({}, c10::kCUDA, 4), 1);
  EXPECT_THROW(replica_count({.replicas = 2}, c10::kCUDA, 4), ConfigError);
}

TEST(TrainerSetup, IsReadInPartsForEachReplica) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.stream.parts = 2;
  setup.train.replicas = 3;
  EXPECT_EQ(stream_of(setup).parts, 6);
}

TEST(TrainerSetup, OfRDropNeedsReadingsThatDifferAndNoSampledChoices) {
  const ToyTask task;
  TrainerSetup setup = task.setup();
  setup.train.r_drop = 5;
  const auto refusal = [&](const std::function<void(models::ArchitectureOptions&)>& change) {
    models::ArchitectureOptions architecture = heed::testing::tiny_rnn();
    architecture.dropout = 0.1;
    change(architecture);
    const int64_t size = setup.tokenizers.target->size();
    setup.model = models::build_model(architecture, {.source = size, .target = size}, 7);
    return heed::testing::message_of<ConfigError>([&] { validate(setup); });
  };
  EXPECT_EQ(refusal([](auto& architecture) { architecture.dropout = 0; }),
            "`train.r-drop` must be 0 without dropout (arch.dropout): two readings of a sentence are equal");
  EXPECT_EQ(refusal([](auto& architecture) {
              auto& attention = std::get<models::RnnDecoderOptions>(architecture.decoder.type).attention;
              attention = models::AttentionAfterCell{.attend = {.choice = nn::HardChoice{}}};
            }),
            "`train.r-drop` must be 0 with arch.decoder.choice hard, whose choices answer for their own reading alone");
  setup.train.r_drop = 0;
  EXPECT_NO_THROW(validate(setup));
}

}  // namespace
}  // namespace heed::training
