// `heed train --alignments`: attention learns from links between words.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "support/free_port.h"

namespace heed::end_to_end {
namespace {

class GuidedAlignment : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    text = std::make_unique<Folder>();
    const Words seven{"one", "two", "three", "four", "five", "six", "seven"};
    for (const auto& [name, lines] : {std::pair{"train", 600}, std::pair{"dev", 60}}) {
      write_numbers(*text, name, seven, lines);
      text->file(std::string(name) + ".links", links_of_reversed(text->read(std::string(name) + ".en")));
    }
  }
  static void TearDownTestSuite() { text.reset(); }

  /// The first word with the last, and so on.
  static std::string links_of_reversed(const std::string& lines) {
    std::string links;
    for (const std::string& line : lines_of(lines)) {
      const auto words = 1 + std::ranges::count(line, ' ');
      for (int64_t i = 0; i < words; ++i) {
        links += (i > 0 ? " " : "") + std::to_string(i) + '-' + std::to_string(words - 1 - i);
      }
      links += '\n';
    }
    return links;
  }
  static Words with_links() { return {"--alignments", text->path("train.links")}; }
  Words command(const std::string& model, const Words& more = {}) const {
    // clang-format off
    return Words{"train", "--model", folder.path(model), "--source", text->path("train.en"),
                 "--target", text->path("train.de"), "--valid-source", text->path("dev.en"),
                 "--valid-target", text->path("dev.de"), "--text.type", "bpe", "--text.merges", "6",
                 "--arch.d-model", "16", "--arch.encoder.layers", "1", "--arch.decoder.layers", "2",
                 "--arch.dropout", "0.1", "--data.batch-tokens", "600", "--data.total-micro-batches", "4",
                 "--train.schedule.type", "constant", "--train.schedule.learning-rate", "0.01",
                 "--train.max-steps", "40", "--train.average", "none", "--valid.every", "20",
                 "--log.every", "5"} + more;
    // clang-format on
  }
  void train(const std::string& model, const Words& more = {}) const {
    const Result trained = heed(command(model, Words{"--threads", "1"} + more));
    ASSERT_EQ(trained.code, 0) << trained.errors;
  }
  std::string bytes(const std::string& model) const { return folder.read(model + "/model.safetensors"); }
  /// The alignment error rate of the references' alignments.
  double error_rate(const std::string& model) const {
    const Result aligned = heed({"align", "--model", folder.path(model), "--source", text->path("dev.en"), "--target",
                                 text->path("dev.de"), "--threads", "1"});
    EXPECT_EQ(aligned.code, 0) << aligned.errors;
    const Result scored = heed({"evaluate", "--alignment", text->path("dev.links"), "-"}, aligned.output);
    EXPECT_EQ(scored.code, 0) << scored.errors;
    const size_t found = scored.output.find("AER = ");
    return found == std::string::npos ? -1 : std::stod(scored.output.substr(found + 6));
  }

  static std::unique_ptr<Folder> text;
  Folder folder;
};
std::unique_ptr<Folder> GuidedAlignment::text;

TEST_F(GuidedAlignment, TeachesAttentionTheLinks) {
  const Words longer{"--train.max-steps", "160", "--valid.every", "160"};
  train("plain", longer);
  train("guided", longer + with_links() + Words{"--train.guided-alignment-weight", "0.5"});
  EXPECT_GT(error_rate("plain"), 40);
  EXPECT_LT(error_rate("guided"), 25);
  EXPECT_GE(error_rate("guided"), 0);
  const std::string config = folder.read("guided/config.toml");
  EXPECT_NE(config.find("alignment-layer = 1"), std::string::npos) << config;
  EXPECT_NE(config.find("alignment-head = 1"), std::string::npos) << config;
  const Words translate{"translate",   "--model", folder.path("guided"), "--threads", "1",
                        "--precision", "fp32",    "--alignment"};
  ASSERT_EQ(heed(translate + Words{folder.path("engine.links")}, text->read("dev.en")).code, 0);
  ASSERT_EQ(
      heed(translate + Words{folder.path("torch.links"), "--ensemble", folder.path("guided")}, text->read("dev.en"))
          .code,
      0);
  EXPECT_EQ(folder.read("engine.links"), folder.read("torch.links"));
}

TEST_F(GuidedAlignment, IsTheSameInParts) {
  train("whole", with_links());
  train("plain");
  EXPECT_NE(bytes("whole"), bytes("plain"));
  train("parts", with_links() + Words{"--train.max-steps", "20"});
  train("parts", with_links());
  EXPECT_EQ(bytes("parts"), bytes("whole")) << "stopped and resumed";
  const Result replicas = heed(command("replicas", with_links() + Words{"--threads", "2", "--train.replicas", "2"}));
  ASSERT_EQ(replicas.code, 0) << replicas.errors;
  EXPECT_EQ(bytes("replicas"), bytes("whole"));
}

TEST_F(GuidedAlignment, OfAStreamIsTheSameOnTwoRanks) {
  const Words stream = with_links() + Words{"--data.shuffle-buffer", "200", "--train.max-steps", "12"};
  train("one", stream);
  train("unguided", Words{"--data.shuffle-buffer", "200", "--train.max-steps", "12"});
  EXPECT_NE(bytes("one"), bytes("unguided"));
  const std::string port = std::to_string(heed::testing::free_port());
  std::vector<std::unique_ptr<Program>> ranks;
  for (const std::string rank : {"0", "1"}) {
    ranks.push_back(std::make_unique<Program>(
        command("two", stream + Words{"--threads", "1"}), "", "",
        Surroundings{.environment = {
                         {"RANK", rank}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}}}));
  }
  for (const auto& rank : ranks) {
    const Result result = rank->wait();
    EXPECT_EQ(result.code, 0) << result.errors;
  }
  EXPECT_EQ(bytes("two"), bytes("one"));
}

TEST_F(GuidedAlignment, RefusesWhatHasNoEffectOrDoesNotFit) {
  const auto refusal = [&](const Words& more) {
    const Result result = heed(command("model", Words{"--threads", "1"} + more));
    return std::to_string(result.code) + ' ' + result.errors;
  };
  EXPECT_EQ(refusal({"--train.guided-alignment-weight", "0.2"}),
            "2 heed: `train.guided-alignment-weight` has no effect without `alignments`\n");
  const std::string links = folder.file("links", "0-0\n9-0\n");
  const std::string leaves = refusal({"--alignments", links});
  EXPECT_NE(leaves.find("heed: " + links + ":2: the link 9-0 leaves its pair"), std::string::npos) << leaves;
  EXPECT_TRUE(leaves.starts_with("1 ")) << leaves;
  const Words recurrent{
      "--preset", "rnn-bahdanau", "--alignments", text->path("train.links"), "--arch.decoder.attention-function",
      "sparsemax"};
  EXPECT_NE(refusal(recurrent).find("2 heed: `alignments` need arch.decoder.attention-function soft"),
            std::string::npos)
      << refusal(recurrent);
}

}  // namespace
}  // namespace heed::end_to_end
