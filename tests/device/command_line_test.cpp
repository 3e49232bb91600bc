// The commands of heed-torch with `--device fake:N`.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>

#include "heed/core/files/atomic_file.h"
#include "support/free_port.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::testing {
namespace {

struct Result {
  int code = -1;
  std::string output;  ///< standard output and standard error
};

/// Runs heed-torch as it is built with the fake device, with these variables (A=B C=D) in its environment.
Result run(const std::string& arguments, const std::string& environment = "") {
  const std::string program = std::string(std::getenv("HEED_BINARY_DIR")) + "/bin/heed-torch-fake ";
  FILE* pipe = popen((environment + " " + program + arguments + " 2>&1").c_str(), "r");
  Result result;
  std::array<char, 4096> block{};
  while (const size_t count = std::fread(block.data(), 1, block.size(), pipe))
    result.output.append(block.data(), count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

/// The lines that are log-probabilities; others are what the program says beside them.
std::vector<double> scores_in(const std::string& output) {
  std::vector<double> scores;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('-')) scores.push_back(std::stod(line));
  }
  return scores;
}

class DeviceCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text;
    for (const std::string& line : text::random_lines(200, 12, 6)) text += line + "\n";
    write_file(file("text"), text);
    write_file(file("few"), text.substr(0, text.find('\n', 200) + 1));
  }

  std::string file(const std::string& name) const { return directory_.file(name); }

  /// Of a tiny training on `device` up to `steps`.
  std::string training(const std::string& device, int steps, const std::string& more, const std::string& model) const {
    const std::string texts = "--source " + file("text") + " --target " + file("text") + " --valid-source " +
                              file("few") + " --valid-target " + file("few") + " --model " + file(model);
    const std::string sizes =
        " --preset transformer-tiny --arch.d-model 16 --arch.encoder.layers 1 --arch.decoder.layers 1 --text.type words "
        "--data.batch-tokens 200 --valid.every 3 --threads 1 --seed 4 --train.max-steps ";
    return "train " + texts + sizes + std::to_string(steps) + " --device " + device + more;
  }

  /// That training, which must succeed.
  std::string train(const std::string& device, int steps, const std::string& more) const {
    const Result result = run(training(device, steps, more, "model"));
    EXPECT_EQ(result.code, 0) << result.output;
    return result.output;
  }

  /// The same on two ranks at the same time.
  std::array<Result, 2> train_on_ranks(const std::string& device, const std::string& more) const {
    const std::string meeting = " WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(free_port());
    const std::string command = training(device, 6, more, "of-ranks");
    std::array<Result, 2> results;
    std::thread first([&] { results[0] = run(command, "RANK=0" + meeting); });
    results[1] = run(command, "RANK=1" + meeting);
    first.join();
    return results;
  }

  /// What the command writes beside its messages.
  std::string output_of(const std::string& command) const {
    const Result result = run(command + " --model " + file("model") + " --threads 1");
    EXPECT_EQ(result.code, 0) << result.output;
    std::istringstream lines(result.output);
    std::string written;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("heed: ")) written += line + '\n';
    }
    return written;
  }

 private:
  TemporaryDirectory directory_;
};

TEST_F(DeviceCommands, DoOnTheDeviceWhatTheyDoOnTheCpu) {
  const std::string begun = train("cpu", 3, "");
  const std::string gone_on = train("fake:1", 6, "");
  EXPECT_NE(gone_on.find("fake:1"), std::string::npos) << gone_on;
  std::istringstream messages(gone_on);
  for (std::string message; std::getline(messages, message);) {
    const bool of_text = message.find(" pairs ") != std::string::npos;  // its validation text is training text
    EXPECT_TRUE(of_text || message.find("warning") == std::string::npos ||
                message.find("learned little") != std::string::npos)
        << message;
  }
  const std::string few = file("few"), device = " --device fake:1", cpu = " --device cpu";
  for (const std::string& command :
       {"translate --input " + few + " --search.beam 2", "align --source " + few + " --target " + few}) {
    EXPECT_EQ(output_of(command + device), output_of(command + cpu)) << command;
  }
  const std::string score = "score --source " + few + " --target " + few;
  const auto found = scores_in(output_of(score + device)), expected = scores_in(output_of(score + cpu));
  ASSERT_GT(expected.size(), 5U);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-3);
}

TEST_F(DeviceCommands, RanksHaveADeviceEachAndTrainTheModelOfOne) {
  const std::string parts = " --data.total-micro-batches 4 --train.clip-norm 0.5";
  train("fake", 6, parts);
  const auto results = train_on_ranks("fake", parts);
  for (const Result& result : results) EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_NE(results[0].output.find("fake:0"), std::string::npos) << results[0].output;
  EXPECT_EQ(read_file(file("of-ranks/model.safetensors")), read_file(file("model/model.safetensors")));
}

TEST_F(DeviceCommands, RefuseADeviceThatIsNotThere) {
  const auto refusal = [&](const std::string& device) {
    const Result result = run("translate --model " + file("model") + " --device " + device);
    EXPECT_EQ(result.code, 2);
    return result.output;
  };
  EXPECT_NE(refusal("fake:2").find("`device` is `fake:2`, but this machine has 2 fake devices"), std::string::npos);
  EXPECT_NE(refusal("cuda").find("must be auto, cpu, fake or fake:N, but is `cuda`"), std::string::npos);
}

}  // namespace
}  // namespace heed::testing
