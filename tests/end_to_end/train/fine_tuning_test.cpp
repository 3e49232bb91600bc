// `heed train --from`: a model that is trained goes on with other text.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "support/free_port.h"

namespace heed::end_to_end {
namespace {

class FineTuning : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    text = std::make_unique<Folder>();
    write_numbers(*text, "train", {"one", "two", "three", "four", "five", "six", "seven"}, 600);
    write_numbers(*text, "more", {"two", "four", "six", "eight", "ten", "one"}, 600);
    write_numbers(*text, "dev", {"one", "two", "three", "four", "five", "six", "seven"}, 60);
    base_made = heed(Words{"train"} + of("train") +
                     Words{"--model", base(), "--text.type", "words", "--arch.d-model", "16", "--arch.encoder.layers",
                           "1", "--arch.decoder.layers", "1"} +
                     small(30));
  }
  static void TearDownTestSuite() { text.reset(); }

  static std::string base() { return text->path("base"); }
  static Words of(const std::string& name) {
    return {"--source",       text->path(name + ".en"), "--target",       text->path(name + ".de"),
            "--valid-source", text->path("dev.en"),     "--valid-target", text->path("dev.de")};
  }
  static Words small(int steps) {
    return {"--threads",
            "1",
            "--data.batch-tokens",
            "600",
            "--data.total-micro-batches",
            "4",
            "--train.max-steps",
            std::to_string(steps),
            "--valid.every",
            "15",
            "--log.every",
            "1"};
  }
  Words command(const std::string& model, const Words& more = {}, int steps = 30) const {
    return Words{"train", "--from", base()} + of("more") + Words{"--model", folder.path(model)} + small(steps) + more;
  }
  std::string model(const std::string& name) const { return folder.read(name + "/model.safetensors"); }
  std::string translation(const std::string& name) const {
    return heed({"translate", "--model", folder.path(name), "--threads", "1"}, text->read("dev.en")).output;
  }

  static std::unique_ptr<Folder> text;
  static Result base_made;
  Folder folder;
};
std::unique_ptr<Folder> FineTuning::text;
Result FineTuning::base_made;

const Words kLora{"--train.adapter.type", "lora", "--train.adapter.rank", "2", "--train.adapter.dropout", "0.1"};

TEST_F(FineTuning, BeginsWithTheModelsWeightsAndTokenizers) {
  ASSERT_EQ(base_made.code, 0) << base_made.errors;
  const Result tuned = heed(command("tuned"));
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_EQ(folder.read("tuned/source.words"), text->read("base/source.words"));
  EXPECT_NE(model("tuned"), text->read("base/model.safetensors"));
  EXPECT_EQ(lines_of(translation("tuned")).size(), 60u);
}

TEST_F(FineTuning, FreezesPartsByTheirNamesAndTellsHowManyAreTrained) {
  const Result tuned = heed(command("tuned", {"--train.freeze", "encoder", "decoder.embedding"}));
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_NE(tuned.errors.find(" parameters; "), std::string::npos) << tuned.errors;
  EXPECT_NE(tuned.errors.find(" are trained\n"), std::string::npos) << tuned.errors;
  const Result none = heed(command("none", {"--train.freeze", "enkoder"}));
  expect_error(none, 2,
               "`train.freeze` must name parameters, but `enkoder` matches none; the parts of this model are `encoder` "
               "and `decoder`");
}

TEST_F(FineTuning, LoraLeavesAnOrdinaryModelForTheEngineAndTheScorer) {
  const Result tuned = heed(command("tuned", kLora));
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_NE(tuned.errors.find("of them LoRA's"), std::string::npos) << tuned.errors;
  EXPECT_EQ(model("tuned").size(), text->read("base/model.safetensors").size());
  const std::string engine = translation("tuned");
  EXPECT_EQ(lines_of(engine).size(), 60u);
  EXPECT_EQ(heed({"translate", "--model", folder.path("tuned"), "--threads", "1", "--checkpoint", "last"},
                 text->read("dev.en"))
                .code,
            0);
  const Result scored = heed({"score", "--model", folder.path("tuned"), "--source", text->path("dev.en"), "--target",
                              text->path("dev.de"), "--threads", "1"});
  EXPECT_EQ(scored.code, 0) << scored.errors;
  EXPECT_EQ(heed({"average", "--model", folder.path("tuned"), "--last", "2", "--output", folder.path("mean")}).code, 0);
}

TEST_F(FineTuning, GoesOnBitForBitAlsoWithoutTheModelItBeganWith) {
  const Words often{"--train.save-every", "5"};
  ASSERT_EQ(heed(command("whole", kLora + often)).code, 0);
  {
    Program program(command("parts", kLora + often));
    while (program.running() && !std::filesystem::exists(folder.path("parts/checkpoints/0000010"))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    program.signal(SIGINT);
    program.wait();
  }
  std::filesystem::rename(base(), base() + ".away");
  const Result second = heed(command("parts", kLora + often));
  const Result alone = heed({"train", "--model", folder.path("parts")});
  std::filesystem::rename(base() + ".away", base());
  ASSERT_EQ(second.code, 0) << second.errors;
  EXPECT_EQ(alone.code, 0) << alone.errors;
  EXPECT_EQ(model("parts"), model("whole"));
  const Result other =
      heed(command("parts", Words{"--train.adapter.type", "lora", "--train.adapter.rank", "3"} + often));
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.errors.find("`train.adapter.rank` (was 2, is 3: the saved parameters are those of another adapter)"),
            std::string::npos)
      << other.errors;
}

TEST_F(FineTuning, OnSeveralRanksIsThatOfOneProcess) {
  const auto on_two_ranks = [&](const Words& words) {
    const std::string port = std::to_string(heed::testing::free_port());
    std::vector<std::unique_ptr<Program>> ranks;
    for (int rank = 0; rank < 2; ++rank) {
      ranks.push_back(std::make_unique<Program>(words, "", "",
                                                Surroundings{.environment = {{"RANK", std::to_string(rank)},
                                                                             {"WORLD_SIZE", "2"},
                                                                             {"MASTER_ADDR", "127.0.0.1"},
                                                                             {"MASTER_PORT", port}}}));
    }
    for (const auto& rank : ranks) {
      const Result result = rank->wait();
      EXPECT_EQ(result.code, 0) << result.errors;
    }
  };
  ASSERT_EQ(heed(command("one", kLora)).code, 0);
  on_two_ranks(command("two", kLora));
  EXPECT_EQ(model("two"), model("one"));
  on_two_ranks(command("begun", kLora, 7));
  on_two_ranks(command("begun", kLora));
  EXPECT_EQ(model("begun"), model("one")) << "gone on from the seventh update";
}

TEST_F(FineTuning, ALargerVocabularyGrowsTheTables) {
  const Result tuned = heed(command("tuned", {"--text.tokenizers", "learned"}));
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_NE(
      tuned.errors.find("heed: source vocabulary: 8 of 10 entries copy their rows from the base model, 2 start with "
                        "random values\n"),
      std::string::npos)
      << tuned.errors;
  EXPECT_EQ(heed(command("frozen", Words{"--text.tokenizers", "learned"} + kLora)).code, 2)
      << "rows nothing would train";
  EXPECT_EQ(heed(command("beside",
                         Words{"--text.tokenizers", "learned", "--train.adapter.modules-to-save", "decoder.embedding"} +
                             kLora))
                .code,
            0);
}

TEST_F(FineTuning, RefusesAnotherNetworkInOneLine) {
  expect_error(
      heed(command("tuned", {"--arch.d-model", "32"})), 2,
      "`arch.d-model` must be 16, as in the model " + base() + " that the training begins with (`from`), but is 32");
  EXPECT_FALSE(std::filesystem::exists(folder.path("tuned")));
  const Result hint = heed({"train", "--train-from", base()});
  EXPECT_NE(hint.errors.find("did you mean `--from`?"), std::string::npos) << hint.errors;
}

}  // namespace
}  // namespace heed::end_to_end
