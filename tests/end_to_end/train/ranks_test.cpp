// Training on several ranks, over the loopback: the model of one process, to the byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include <sys/stat.h>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "support/free_port.h"

namespace heed::end_to_end {
namespace {

const Words kSeven{"one", "two", "three", "four", "five", "six", "seven"};

class Ranks : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    text = std::make_unique<Folder>();
    write_numbers(*text, "train", kSeven, 600);
    write_numbers(*text, "dev", kSeven, 300);
  }
  static void TearDownTestSuite() { text.reset(); }

  Words command(const std::string& model, const Words& more = {}) const {
    Words words{"train",
                "--source",
                text->path("train.en"),
                "--target",
                text->path("train.de"),
                "--valid-source",
                text->path("dev.en"),
                "--valid-target",
                text->path("dev.de"),
                "--model",
                folder.path(model),
                "--threads",
                "1",
                "--text.type",
                "words",
                "--arch.d-model",
                "16",
                "--arch.encoder.layers",
                "1",
                "--arch.decoder.layers",
                "1",
                "--arch.dropout",
                "0.2",
                "--data.batch-tokens",
                "600",
                "--data.total-micro-batches",
                "6",
                "--train.max-steps",
                "12",
                "--valid.every",
                "6",
                "--train.clip-norm",
                "0.5"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// The same on a stream.
  Words streamed(const std::string& model, const std::string& pairs = "-", const Words& more = {}) const {
    Words words = command(model, Words{"--data.shuffle-buffer", "150", "--pairs", pairs, "--data.batch-tokens", "300",
                                       "--train.save-every", "5"} +
                                     more);
    words.erase(words.begin() + 1, words.begin() + 5);  // --source and --target
    if (!more.empty()) words.erase(std::ranges::find(words, "--text.type"), std::ranges::find(words, "--arch.d-model"));
    return words;
  }
  /// The training text in lines `source TAB target`.
  static std::string pairs() {
    std::istringstream source(text->read("train.en")), target(text->read("train.de"));
    std::string lines;
    for (std::string left, right; std::getline(source, left) && std::getline(target, right);) {
      lines += left + '\t' + right + '\n';
    }
    return lines;
  }
  /// `heed WORDS...` as one of several ranks that meet at this test's port.
  std::unique_ptr<Program> start(int rank, int ranks, const Words& words, const std::string& input = "") const {
    return std::make_unique<Program>(words, input, "",
                                     Surroundings{.environment = {{"RANK", std::to_string(rank)},
                                                                  {"WORLD_SIZE", std::to_string(ranks)},
                                                                  {"MASTER_ADDR", "127.0.0.1"},
                                                                  {"MASTER_PORT", std::to_string(port)}}});
  }
  /// `heed WORDS...` as a rank that a launcher of MPI started.
  static std::unique_ptr<Program> start_by_mpi(int rank, const Words& words, std::map<std::string, std::string> job) {
    const bool names_job = job.contains("PMIX_NAMESPACE");
    job[names_job ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK"] = std::to_string(rank);
    job[names_job ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE"] = "2";
    return std::make_unique<Program>(words, "", "", Surroundings{.environment = job});
  }
  void wait_for_update_6(Program& program, const std::string& name) const {
    while (program.running() && !std::filesystem::exists(folder.path(name + "/checkpoints/0000006"))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  /// Trains on so many ranks, the first of which has the input; expects that all come to their end.
  void train(int ranks, const Words& words, const std::string& input = "") {
    port = heed::testing::free_port();
    std::vector<std::unique_ptr<Program>> programs;
    for (int rank = 0; rank < ranks; ++rank) programs.push_back(start(rank, ranks, words, rank == 0 ? input : ""));
    for (const auto& program : programs) {
      const Result result = program->wait();
      EXPECT_EQ(result.code, 0) << result.errors;
    }
  }
  std::string model(const std::string& name) const { return folder.read(name + "/model.safetensors"); }
  /// The model of `command` in one process, which is trained once for all tests.
  std::string model_of_one_process() const {
    if (!std::filesystem::exists(text->path("alone"))) {
      EXPECT_EQ(heed(command("one")).code, 0);
      std::filesystem::copy(folder.path("one"), text->path("alone"), std::filesystem::copy_options::recursive);
    }
    return text->read("alone/model.safetensors");
  }

  static std::unique_ptr<Folder> text;
  Folder folder;
  int64_t port = heed::testing::free_port();
};
std::unique_ptr<Folder> Ranks::text;

TEST_F(Ranks, TrainTheModelOfOneProcess) {
  const std::string alone = model_of_one_process();
  for (const int ranks : {2, 3}) {
    const std::string name = "of" + std::to_string(ranks);
    train(ranks, command(name));
    EXPECT_TRUE(model(name) == alone) << ranks << " ranks";
  }
}

TEST_F(Ranks, ShareTheAverageOfTheWeights) {
  for (const Words& averaging : {Words{"--train.ema-decay", "0.9"}, Words{"--train.optimizer.type", "schedule-free"}}) {
    const std::string name = averaging.back();
    ASSERT_EQ(heed(command("one" + name, averaging)).code, 0);
    train(2, command("two" + name, averaging));
    EXPECT_TRUE(model("two" + name) == model("one" + name)) << name;
  }
}

TEST_F(Ranks, ShareOptimizersOfWholeMatrices) {
  for (const std::string name : {"muon", "adafactor"}) {
    const Words optimizer{"--train.optimizer.type", name};
    ASSERT_EQ(heed(command("one" + name, optimizer)).code, 0);
    for (const std::string shard : {"true", "false"}) {
      train(3, command(name + shard, optimizer + Words{"--distributed.shard-optimizer", shard}));
      EXPECT_TRUE(model(name + shard) == model("one" + name)) << name << " " << shard;
    }
  }
}

TEST_F(Ranks, LeaveOutTheSameLines) {
  const Words cleaned{"--data.duplicates", "leave-out", "--data.leaking", "leave-out"};
  ASSERT_EQ(heed(command("one", cleaned)).code, 0);
  train(2, command("two", cleaned));
  EXPECT_TRUE(model("two") == model("one"));
  EXPECT_GT(last_event(folder, "two", "start")["duplicate_pairs"], 0);
  EXPECT_LT(last_event(folder, "two", "start")["pairs"], 600);
}

TEST_F(Ranks, ResumeWithOtherValidationText) {
  ASSERT_EQ(heed(command("one", {"--train.max-steps", "6"})).code, 0);
  std::filesystem::copy(folder.path("one"), folder.path("two"), std::filesystem::copy_options::recursive);
  const auto other = [&](const std::string& name) {
    return command(name, {"--valid-source", text->path("train.en"), "--valid-target", text->path("train.de")});
  };
  ASSERT_EQ(heed(other("one")).code, 0);
  train(2, other("two"));
  EXPECT_TRUE(model("two") == model("one"));
  EXPECT_EQ(last_validation(folder, "two"), last_validation(folder, "one"));
}

TEST_F(Ranks, FindTheTextWhereTheTrainingWasStarted) {
  Words begun = command("one", {"--train.max-steps", "6"});
  for (std::string& word : begun) {
    for (const std::string name : {"train.en", "train.de", "dev.en", "dev.de"}) {
      if (word == text->path(name)) word = name;
    }
  }
  Program program(begun, "", "", {.folder = text->path("")});
  ASSERT_EQ(program.wait().code, 0);
  std::filesystem::remove(folder.path("one/train.corpus"));  // the ranks encode the text again
  std::filesystem::copy(folder.path("one"), folder.path("two"), std::filesystem::copy_options::recursive);
  std::filesystem::create_directories(folder.path("elsewhere"));
  const auto resume = [&](const std::string& name, std::map<std::string, std::string> environment) {
    return std::make_unique<Program>(
        Words{"train", "--model", folder.path(name), "--train.max-steps", "12"}, "", "",
        Surroundings{.folder = folder.path("elsewhere"), .environment = std::move(environment)});
  };
  const Result alone = resume("one", {})->wait();
  ASSERT_EQ(alone.code, 0) << alone.errors;
  const auto rank = [&](int number) {
    return resume("two", {{"RANK", std::to_string(number)},
                          {"WORLD_SIZE", "2"},
                          {"MASTER_ADDR", "127.0.0.1"},
                          {"MASTER_PORT", std::to_string(port)}});
  };
  const auto first = rank(0), second = rank(1);
  const Result leader = first->wait(), follower = second->wait();
  EXPECT_EQ(leader.code, 0) << leader.errors;
  EXPECT_EQ(follower.code, 0) << follower.errors;
  EXPECT_NE(leader.errors.find("heed: reads train.en, train.de, dev.en and dev.de from "), std::string::npos)
      << leader.errors;
  EXPECT_EQ(follower.errors.find("do not see"), std::string::npos) << follower.errors;
  EXPECT_TRUE(model("two") == model("one"));
}

TEST_F(Ranks, RefuseAStartWhoseTextIsNowhere) {
  const std::string source = folder.file("train.en", text->read("train.en"));
  Words begun = command("begun", {"--train.max-steps", "6"});
  std::ranges::replace(begun, text->path("train.en"), source);
  ASSERT_EQ(heed(begun).code, 0);
  std::filesystem::remove(source);
  const Words words{"train", "--model", folder.path("begun"), "--train.max-steps", "12"};
  const auto first = start(0, 2, words), second = start(1, 2, words);
  for (const Result& result : {first->wait(), second->wait()}) {
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.errors.find(source + ": this file does not exist; "), std::string::npos) << result.errors;
  }
}

TEST_F(Ranks, TrainTheSameWithTheWholeOptimizerEach) {
  train(2, command("two", {"--distributed.shard-optimizer", "false"}));
  EXPECT_TRUE(model("two") == model_of_one_process());
}

TEST_F(Ranks, SendGradientsInBfloat16WhateverTheirNumber) {
  const Words rounded{"--distributed.gradients", "bf16"};
  ASSERT_EQ(heed(command("rounded", rounded)).code, 0);
  train(2, command("two", rounded));
  EXPECT_TRUE(model("two") == model("rounded"));
  EXPECT_TRUE(model("rounded") != model_of_one_process());
}

TEST_F(Ranks, GoOnAfterADeathWithAnotherNumber) {
  ASSERT_EQ(heed(command("one", {"--train.max-steps", "60", "--train.save-every", "10"})).code, 0);
  const Words words = command("two", {"--train.max-steps", "60", "--train.save-every", "10"});
  const auto first = start(0, 2, words), second = start(1, 2, words);
  while (first->running() && !std::filesystem::exists(folder.path("two/checkpoints/0000020"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  second->signal(SIGKILL);
  const Result result = first->wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("heed: rank 1 (process "), std::string::npos) << result.errors;
  EXPECT_EQ(second->wait().code, 128 + SIGKILL);
  train(3, words);
  EXPECT_TRUE(model("two") == model("one"));
}

TEST_F(Ranks, EndWhereOneIsStopped) {
  const Words words = command("two", {"--train.max-steps", "100000", "--distributed.timeout-seconds", "2"});
  const auto first = start(0, 2, words), second = start(1, 2, words);
  while (first->running() && !std::filesystem::exists(folder.path("two/checkpoints/0000006"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  second->signal(SIGSTOP);
  const Result result = first->wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("is lost: nothing was heard of it for 2 s; training ends"), std::string::npos)
      << result.errors;
  second->signal(SIGCONT);
  EXPECT_EQ(second->wait().code, 1);
}

TEST_F(Ranks, AllStopWhereOneIsAskedTo) {
  const Words words = command("two", {"--train.max-steps", "100000"});
  const auto first = start(0, 2, words), second = start(1, 2, words);
  while (first->running() && !std::filesystem::exists(folder.path("two/checkpoints/0000006"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  second->signal(SIGTERM);
  EXPECT_EQ(first->wait().code, 130);
  EXPECT_EQ(second->wait().code, 130);
}

TEST_F(Ranks, TrainOnAStreamThatTheFirstReads) {
  const std::string lines = pairs();
  ASSERT_EQ(heed(streamed("one"), lines).code, 0);
  for (const int ranks : {2, 3}) {
    const std::string name = "of" + std::to_string(ranks);
    train(ranks, streamed(name), lines);
    EXPECT_TRUE(model(name) == model("one")) << ranks << " ranks";
  }
}

TEST_F(Ranks, StopWhileTheyWaitForALineAndGoOnWithAnotherNumber) {
  const std::string lines = pairs(), pipe = folder.path("pipe");
  ASSERT_EQ(heed(streamed("one"), lines).code, 0);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Words given{"--text.tokenizers", "given", "--text.source-tokenizer", folder.path("one/source.words")};
  Words from_pipe = streamed("two", pipe, given);
  const auto first = start(0, 2, from_pipe), second = start(1, 2, from_pipe);
  std::ofstream sender(pipe);
  sender << lines.substr(0, lines.find('\n', lines.size() / 2) + 1) << std::flush;
  while (first->running() && !std::filesystem::exists(folder.path("two/checkpoints/0000005"))) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  second->signal(SIGTERM);  // alone, and the first is waiting
  EXPECT_EQ(first->wait().code, 130);
  EXPECT_EQ(second->wait().code, 130);
  train(3, streamed("two", "-", given), lines);
  EXPECT_TRUE(model("two") == model("one"));
}

TEST_F(Ranks, EndWhereTheStreamIsWrong) {
  const std::string lines = pairs() + "no tab\n";
  const auto first = start(0, 2, streamed("two"), lines), second = start(1, 2, streamed("two"));
  EXPECT_EQ(first->wait().code, 1);
  const Result result = second->wait();
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.errors.find("ended: standard input:601: "), std::string::npos) << result.errors;
}

TEST_F(Ranks, RefuseOtherOptions) {
  const auto first = start(0, 2, command("two")), second = start(1, 2, command("two", {"--seed", "7"}));
  for (const Result& result : {first->wait(), second->wait()}) {
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.errors, "heed: rank 1 cannot train with rank 0: --seed is 7 there, and 1 on rank 0\n");
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path("two")));
}

TEST_F(Ranks, RefuseFewerPartsThanRanks) {
  const Words words = command("two", {"--data.total-micro-batches", "1"});
  const auto first = start(0, 2, words), second = start(1, 2, words);
  const std::string message = "`data.total-micro-batches` must be at least 2, the number of ranks, but is 1";
  EXPECT_NE(first->wait().errors.find(message), std::string::npos);
  EXPECT_NE(second->wait().errors.find(message), std::string::npos);
}

TEST_F(Ranks, NameThoseThatDoNotCome) {
  const Words words = command("two", {"--distributed.timeout-seconds", "2"});
  const auto first = start(0, 4, words), third = start(2, 4, words);
  expect_error(first->wait(), 1,
               "ranks 1 and 3 of 4 did not reach 127.0.0.1:" + std::to_string(port) +
                   " within 2 s (--distributed.timeout-seconds)");
  EXPECT_EQ(third->wait().code, 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path("two")));
}

TEST_F(Ranks, RefuseAHostThatDoesNotResolve) {
  const Result result =
      heed(command("two"), "",
           {.environment = {
                {"RANK", "1"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "no-such-host.invalid"}, {"MASTER_PORT", "1"}}});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(result.errors.starts_with("heed: rank 1 of 2 cannot find the host `no-such-host.invalid` (MASTER_ADDR)"))
      << result.errors;
}

TEST_F(Ranks, OfTwoJobsOfMpirunOnOneMachineMeetTheirOwn) {
  std::vector<std::unique_ptr<Program>> programs;
  for (const int rank : {0, 1}) {
    for (const std::string job : {"a", "b"}) {
      programs.push_back(start_by_mpi(rank, command(job), {{"PMIX_NAMESPACE", job + std::to_string(port)}}));
    }
  }
  for (const auto& program : programs) {
    const Result result = program->wait();
    EXPECT_EQ(result.code, 0) << result.errors;
  }
  for (const std::string job : {"a", "b"}) EXPECT_TRUE(model(job) == model_of_one_process()) << job;
}

TEST_F(Ranks, OfAnotherTrainingAtTheSamePortAreRefusedAtOnce) {
  const std::map<std::string, std::string> same{{"MASTER_PORT", std::to_string(port)}};
  const Words words = command("a", {"--train.max-steps", "100000"});
  const auto first = start_by_mpi(0, words, same), second = start_by_mpi(1, words, same);
  wait_for_update_6(*first, "a");
  const std::string place = "127.0.0.1:" + std::to_string(port);
  const Result leader = start_by_mpi(0, command("b"), same)->wait();
  EXPECT_EQ(leader.code, 1);
  EXPECT_NE(leader.errors.find("rank 0 of 2 cannot let the others meet at " + place), std::string::npos)
      << leader.errors;
  const Result follower = start_by_mpi(1, command("b"), same)->wait();
  EXPECT_EQ(follower.code, 1);
  EXPECT_TRUE(follower.errors.starts_with("heed: rank 1 came to another training at " + place)) << follower.errors;
  for (const Result& result : {leader, follower}) {
    EXPECT_TRUE(result.errors.ends_with("give each training a MASTER_PORT of its own\n")) << result.errors;
  }
  EXPECT_TRUE(first->running() && second->running()) << "the training that was there goes on";
  second->signal(SIGTERM);
  EXPECT_EQ(first->wait().code, 130);
  EXPECT_EQ(second->wait().code, 130);
}

TEST_F(Ranks, AreNoneWhereTheOptionSaysSo) {
  const auto alone = start(1, 2, command("one", {"--distributed.launcher", "none"}));
  EXPECT_EQ(alone->wait().code, 0);
}

}  // namespace
}  // namespace heed::end_to_end
