// The commands of heed-torch with `--device fake:N`.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <sys/wait.h>

#include "heed/core/files/atomic_file.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::testing {
namespace {

struct Result {
  int code = -1;
  std::string output;  ///< standard output and standard error
};

/// Runs heed-torch as it is built with the fake device.
Result run(const std::string& arguments) {
  const std::string program = std::string(std::getenv("HEED_BINARY_DIR")) + "/bin/heed-torch-fake ";
  FILE* pipe = popen((program + arguments + " 2>&1").c_str(), "r");
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

  /// A tiny training on `device` up to `updates`, which must succeed.
  std::string train(const std::string& device, int updates, const std::string& more) const {
    const std::string texts = "--source " + file("text") + " --target " + file("text") + " --valid-source " +
                              file("few") + " --valid-target " + file("few") + " --model " + file("model");
    const std::string sizes =
        " --preset transformer-tiny --arch.d-model 16 --arch.encoder.layers 1 --arch.decoder.layers 1 --text.type words "
        "--data.update-tokens 200 --valid.every 3 --threads 1 --seed 4 --train.max-updates ";
    const Result result = run("train " + texts + sizes + std::to_string(updates) + " --device " + device + more);
    EXPECT_EQ(result.code, 0) << result.output;
    return result.output;
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
  EXPECT_EQ(gone_on.find("warning"), std::string::npos) << gone_on;
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
