// Training on text that is read once: standard input and a named pipe.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

/// Number words and the same in German, in reverse order; a TAB between them.
std::string made_pairs(int count, uint64_t seed = 1) {
  const Words english{"one", "two", "three", "four", "five"}, german{"eins", "zwei", "drei", "vier", "fünf"};
  std::string text;
  uint64_t state = seed * 88172645463325252ULL;
  for (int i = 0; i < count; ++i) {
    std::string left, right;
    for (uint64_t k = 0; k < 1 + (state >> 40) % 5; ++k) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      const size_t word = (state >> 33) % english.size();
      left += (left.empty() ? "" : " ") + english[word];
      right = german[word] + (right.empty() ? "" : " ") + right;
    }
    text += left + '\t' + right + '\n';
  }
  return text;
}

class Stream : public testing::Test {
 protected:
  Words command(const std::string& model, const Words& more) const {
    // clang-format off
    return Words{"train", "--model", folder.path(model), "--data.shuffle-buffer", "200", "--text.type", "words",
                 "--arch.d-model", "32", "--arch.encoder.layers", "1", "--arch.decoder.layers", "1",
                 "--arch.encoder.feed-forward.hidden", "64", "--arch.decoder.feed-forward.hidden", "64",
                 "--arch.encoder.heads", "2", "--arch.decoder.heads", "2", "--train.schedule.warmup", "10",
                 "--train.max-steps", "500", "--train.average", "none", "--valid.every", "20", "--log.every", "5",
                 "--data.batch-tokens", "150", "--threads", "1"} + more;
    // clang-format on
  }
  static void send(int descriptor, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = write(descriptor, text.data(), text.size());
      ASSERT_GT(sent, 0);
      text.remove_prefix(static_cast<size_t>(sent));
    }
  }
  nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(folder.read(file)); }
  /// What the newest checkpoint says of the stream.
  nlohmann::json stream_of(const std::string& model) const {
    std::string newest;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path(model + "/checkpoints"))) {
      newest = std::max(newest, entry.path().filename().string());
    }
    return json(model + "/checkpoints/" + newest + "/state.json")["stream"];
  }
  static void wait_for(Program& program, const std::string& message) {
    const auto said = [&] { return program.errors_so_far().find(message) != std::string::npos; };
    while (program.running() && !said()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }

  Folder folder;
  const std::string text = made_pairs(1000);
};

const Words kStandardInput{"--pairs", "-"};

TEST_F(Stream, OfStandardInputIsReadOnceAndKeptNowhere) {
  const Result trained = heed(command("model", kStandardInput), text + "one\t\n");
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("standard input: read the first 1001 lines to learn from"), std::string::npos)
      << trained.errors;
  EXPECT_NE(trained.errors.find("the text has ended"), std::string::npos) << trained.errors;
  EXPECT_NE(trained.errors.find("standard input: 1001 pairs, 1000 of them kept; left out: 1 with an empty side"),
            std::string::npos)
      << trained.errors;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path("model"))) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("train.")) << entry.path();
  }
  EXPECT_EQ(heed({"translate", "--model", folder.path("model"), "--threads", "1"}, "one\n").code, 0);
  const Result again = heed(command("model", kStandardInput), text + "one\t\n");
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_EQ(again.errors.find("step 5:"), std::string::npos) << "it had ended: " << again.errors;
}

TEST_F(Stream, StoppedWhileItWaitsForALineGoesOnToTheSameModel) {
  ASSERT_EQ(heed(command("whole", kStandardInput), text).code, 0);
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string tokenizer = folder.path("whole/source.words");
  const Words given{"--text.tokenizers", "given", "--text.source-tokenizer", tokenizer};
  Words from_pipe = command("parts", Words{"--pairs", pipe} + given);
  std::erase(from_pipe, "--text.type"), std::erase(from_pipe, "words");
  Program program(from_pipe);
  const int lines = open(pipe.c_str(), O_WRONLY);
  const size_t half = text.find('\n', text.size() / 2) + 1;
  send(lines, text.substr(0, half));
  wait_for(program, "step 10:");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // until it waits
  program.signal(SIGINT);
  const Result stopped = program.wait();  // though the sender might still send
  close(lines);
  EXPECT_EQ(stopped.code, 130) << stopped.errors;
  Words from_input = command("parts", kStandardInput + given);
  std::erase(from_input, "--text.type"), std::erase(from_input, "words");

  const Result other = heed(from_input, made_pairs(1000, 2));
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.errors.find("lines differ from those that the training has read"), std::string::npos) << other.errors;
  const Result shorter = heed(from_input, made_pairs(100));
  EXPECT_EQ(shorter.code, 1);
  EXPECT_NE(shorter.errors.find("standard input: ends after 100 lines, but the training has read "), std::string::npos)
      << shorter.errors;

  const Result resumed = heed(from_input, text);
  ASSERT_EQ(resumed.code, 0) << resumed.errors;
  EXPECT_NE(resumed.errors.find("standard input: passing over "), std::string::npos) << resumed.errors;
  EXPECT_EQ(folder.read("parts/model.safetensors"), folder.read("whole/model.safetensors"));
  EXPECT_EQ(stream_of("parts"), stream_of("whole"));
  for (const char* model : {"parts", "whole"})
    EXPECT_EQ(json(model + std::string("/manifest.json"))["usual_source_length"], 5);
}

TEST_F(Stream, TellsHowLongItsLinesHaveBeenSoFar) {
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += "one two\tzwei eins\n";  // a buffer
  lines += text;
  const auto train = [&](const std::string& steps) {
    const Result trained = heed(command("model", kStandardInput + Words{"--train.max-steps", steps}), lines);
    EXPECT_EQ(trained.code, 0) << trained.errors;
    return json("model/manifest.json")["usual_source_length"];
  };
  const auto translate = [&] {
    return heed({"translate", "--model", folder.path("model"), "--threads", "1"}, "one two three\n").errors;
  };
  EXPECT_EQ(train("1"), 2);
  EXPECT_TRUE(
      translate().starts_with("heed: warning: line 1 has more than 2 tokens, which few lines have that the model "
                              "was trained on"))
      << translate();
  EXPECT_EQ(train("1"), 2) << "the training had ended";
  EXPECT_EQ(train("20"), 5);
  EXPECT_EQ(translate(), "");
}

TEST_F(Stream, LeavesNothingToLearnAShortListFrom) {
  const std::string model = folder.path("model");
  ASSERT_EQ(heed(command("model", kStandardInput + Words{"--train.max-steps", "1"}), text).code, 0);
  expect_error(heed({"shortlist", "--model", model}), 1,
               model +
                   " has no train.corpus, which a shortlist is learned from, as its text was a stream "
                   "(data.shuffle-buffer) and is not stored: train from it with stored text, `heed train --from " +
                   model + " --model OTHER --source FILE --target FILE`, and name OTHER");
  const std::string pairs = folder.file("pairs", text), other = folder.path("other");
  Words stored = command("other", {"--pairs", pairs, "--from", model, "--train.max-steps", "1"});
  std::erase(stored, "--text.type"), std::erase(stored, "words");
  stored.erase(std::ranges::find(stored, "--data.shuffle-buffer"),
               std::ranges::find(stored, "--data.shuffle-buffer") + 2);
  ASSERT_EQ(heed(stored).code, 0) << "what it says can be done";
  EXPECT_EQ(heed({"shortlist", "--model", other}).code, 0);
}

TEST_F(Stream, EndsWithTheLimitThoughTheSenderWaits) {
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(heed(command("whole", kStandardInput + Words{"--train.max-steps", "1"}), text).code, 0);
  const Words given{"--pairs",           pipe, "--from", folder.path("whole"), "--from-part", "tokenizers",
                    "--train.max-steps", "3"};
  Words from_pipe = command("limited", given);
  std::erase(from_pipe, "--text.type"), std::erase(from_pipe, "words");
  Program program(from_pipe);
  const int lines = open(pipe.c_str(), O_WRONLY);
  send(lines, text.substr(0, text.size() / 2));
  const Result ended = program.wait();
  close(lines);
  EXPECT_EQ(ended.code, 0) << ended.errors;
  EXPECT_NE(ended.errors.find("3 steps are done"), std::string::npos) << ended.errors;
}

TEST_F(Stream, TextThatLeavesNothingLeavesNoModel) {
  const std::string pairs = folder.file("blank", "one\t\ntwo\t\n");
  const Words given{"--from", folder.path("whole"), "--from-part", "tokenizers"};
  ASSERT_EQ(heed(command("whole", kStandardInput + Words{"--train.max-steps", "1"}), text).code, 0);
  Words streamed = command("none", Words{"--pairs", pairs} + given);
  std::erase(streamed, "--text.type"), std::erase(streamed, "words");
  Words stored = streamed;
  stored.erase(std::ranges::find(stored, "--data.shuffle-buffer"),
               std::ranges::find(stored, "--data.shuffle-buffer") + 2);
  for (const Words& words : {streamed, stored}) {
    const Result result = heed(words);
    EXPECT_EQ(result.code, 1);
    EXPECT_NE(result.errors.find(pairs + ": no pair is left: 2 pairs, 0 of them kept; left out: 2 with an empty side"),
              std::string::npos)
        << result.errors;
    EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
  }
}

TEST_F(Stream, OfLinesTrainsALanguageModel) {
  std::string lines;
  for (const std::string& pair : lines_of(text)) lines += pair.substr(0, pair.find('\t')) + '\n';
  // clang-format off
  const Words command{"train", "--task", "language-model", "--target", "-", "--data.shuffle-buffer", "300",
                      "--model", folder.path("lm"), "--text.type", "words", "--arch.d-model", "32",
                      "--arch.decoder.layers", "1", "--arch.decoder.heads", "2", "--threads", "1",
                      "--data.batch-tokens", "400", "--log.every", "1"};
  // clang-format on
  const Result trained = heed(command, lines);
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("standard input: 1000 lines, 1000 of them kept"), std::string::npos) << trained.errors;
  EXPECT_EQ(heed({"score", "--model", folder.path("lm"), "--threads", "1"}, "one two\n").code, 0);
}

}  // namespace
}  // namespace heed::end_to_end
