// A model that is trained with placeholders for protected text.
#include <gtest/gtest.h>

#include <memory>

#include "end_to_end/programs.h"
#include "end_to_end/trainings.h"
#include "heed/core/random.h"

namespace heed::end_to_end {
namespace {

/// A word, or text of a kind that is protected.
std::string part(RandomStream& random) {
  static const Words words{"one", "two", "three", "four", "five"};
  switch (random.below(8)) {
    case 0:
      return "https://www." + words[random.below(words.size())] + ".org/" + std::to_string(random.below(1000));
    case 1:
      return "{" + std::to_string(random.below(10)) + "}";
    case 2:
      return "%" + std::to_string(1 + random.below(9)) + "$s";
    default:
      return words[random.below(words.size())];
  }
}

class ProtectedText : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    text = std::make_unique<Folder>();
    RandomStream random(1, Purpose::Test);
    for (const auto& [name, count] : {std::pair{"train", 400}, std::pair{"dev", 40}}) {
      std::string source, target;
      for (int line = 0; line < count; ++line) {
        std::string backwards, forwards;
        for (uint64_t parts = 2 + random.below(5); parts > 0; --parts) {
          const std::string next = part(random);
          forwards += (forwards.empty() ? "" : " ") + next;
          backwards = next + (backwards.empty() ? "" : " ") + backwards;
        }
        source += forwards + "\n";
        target += backwards + "\n";
      }
      text->file(std::string(name) + ".en", source);
      text->file(std::string(name) + ".de", target);
    }
    made = heed(train(text->path("model")) + Words{"--text.protect", "url", "placeholder"});
  }
  static void TearDownTestSuite() { text.reset(); }

  static Words train(const std::string& model, int steps = 20) {
    return {"train",
            "--source",
            text->path("train.en"),
            "--target",
            text->path("train.de"),
            "--valid-source",
            text->path("dev.en"),
            "--valid-target",
            text->path("dev.de"),
            "--model",
            model,
            "--threads",
            "1",
            "--arch.d-model",
            "16",
            "--arch.encoder.layers",
            "1",
            "--arch.decoder.layers",
            "1",
            "--text.vocab-size",
            "100",
            "--data.batch-tokens",
            "600",
            "--train.max-steps",
            std::to_string(steps),
            "--valid.every",
            "10"};
  }
  static std::string model() { return text->path("model"); }
  static Result translate(const std::string& lines, const Words& more = {}) {
    return heed(Words{"translate", "--model", model(), "--threads", "1"} + more, lines);
  }

  static std::unique_ptr<Folder> text;
  static Result made;
  Folder folder;
};
std::unique_ptr<Folder> ProtectedText::text;
Result ProtectedText::made;

size_t count(const std::string& all, const std::string& part) {
  size_t times = 0;
  for (size_t at = all.find(part); at != all.npos; at = all.find(part, at + part.size())) ++times;
  return times;
}

TEST_F(ProtectedText, TheModelSaysWhatItProtects) {
  ASSERT_EQ(made.code, 0) << made.errors;
  EXPECT_EQ(text->read("model/placeholders.json"),
            "{\n  \"kinds\": [\n    \"url\",\n    \"placeholder\"\n  ],\n  \"patterns\": []\n}\n");
  const Result tokens = heed({"tokenize", "--tokenizer", text->path("model/source.spm")}, "see ❶.\n");
  EXPECT_NE(tokens.output.find(" ❶ "), std::string::npos) << tokens.output << "a piece of its own";
}

/// Hardly trained, it loses and repeats placeholders: all come back nevertheless.
TEST_F(ProtectedText, ComesBackOnceWithoutAnOption) {
  const Words kept{"https://example.org/a?b=c", "{0}", "%2$s", "❸", "{name}"};
  std::string lines;
  RandomStream random(2, Purpose::Test);
  std::vector<Words> used;
  for (int line = 0; line < 60; ++line) {
    std::string words = "one";
    used.emplace_back();
    for (const std::string& one : kept) {
      if (random.below(2) == 0) continue;
      words += (random.below(3) == 0 ? " (" + one + ")," : " " + one) + " two";
      used.back().push_back(one);
    }
    lines += words + "\n";
  }
  const Result result = translate(lines);
  ASSERT_EQ(result.code, 0) << result.errors;
  const Words out = lines_of(result.output);
  ASSERT_EQ(out.size(), used.size());
  for (size_t i = 0; i < out.size(); ++i) {
    for (const std::string& one : used[i]) {
      if (one != "❸") {
        EXPECT_EQ(count(out[i], one), 1U) << out[i];
      }
    }
    for (const char* symbol : {"❶", "❷", "❹", "❺", "❻", "❼", "❽", "❾", "❿"})
      EXPECT_EQ(count(out[i], symbol), 0U) << out[i];
  }
  const Result json = translate("{\"source\": \"one {0}\"}\n", {"--format", "json"});
  EXPECT_EQ(json.output.find("placeholder-lost"), std::string::npos) << json.output;
  const Result more = translate("one {0} 17\n", {"--protect", "number"});
  EXPECT_EQ(count(more.output, "17"), 1U) << more.output;
  EXPECT_EQ(count(more.output, "{0}"), 1U) << more.output;
}

TEST_F(ProtectedText, DocumentsAreTranslated) {
  const std::string page = folder.file("page.html", "<p>one <b>two</b> https://example.org/x {0} three</p>\n");
  const Result result = heed({"translate", "--model", model(), "--threads", "1", "--input", page});
  ASSERT_EQ(result.code, 0) << result.errors;
  EXPECT_EQ(count(result.output, "https://example.org/x"), 1U) << result.output;
  EXPECT_EQ(count(result.output, "{0}"), 1U) << result.output;
  EXPECT_EQ(count(result.output, "<b>"), 1U) << result.output;
}

TEST_F(ProtectedText, ScoresAndAlignmentsReadPlaceholdersToo) {
  const std::string source = folder.file("s", "one {0} two\n"), target = folder.file("t", "two {0} one\n");
  const Result aligned =
      heed({"align", "--model", model(), "--source", source, "--target", target, "--format", "json"});
  ASSERT_EQ(aligned.code, 0) << aligned.errors;
  EXPECT_NE(aligned.output.find("\"{0}\""), std::string::npos) << aligned.output;
  const std::string other = folder.file("u", "one {1} two\n"), its = folder.file("v", "two {1} one\n");
  const auto score = [&](const std::string& from, const std::string& to) {
    return heed({"score", "--model", model(), "--source", from, "--target", to}).output;
  };
  EXPECT_FALSE(score(source, target).empty());
  EXPECT_NE(score(source, target), score(source, its)) << "a text that is not on both sides is read as it is";
}

TEST_F(ProtectedText, AResumedTrainingKeepsIt) {
  const Result other = heed(train(model(), 30) + Words{"--text.protect", "url"});
  EXPECT_EQ(other.code, 2) << other.errors;
  EXPECT_NE(other.errors.find("text.protect"), std::string::npos) << other.errors;
  const Result tuned =
      heed({"train", "--from", model(), "--source", text->path("train.en"), "--target", text->path("train.de"),
            "--model", folder.path("tuned"), "--threads", "1", "--data.batch-tokens", "600", "--train.max-steps", "2"});
  ASSERT_EQ(tuned.code, 0) << tuned.errors;
  EXPECT_EQ(folder.read("tuned/placeholders.json"), text->read("model/placeholders.json"));
}

TEST_F(ProtectedText, OtherTokenizersAreRefused) {
  expect_error(
      heed(train(folder.path("words")) + Words{"--text.protect", "url", "--text.type", "words"}), 2,
      "`text.protect` needs tokenizers that split a placeholder from what is next to it: `text.type` = unigram, "
      "sentencepiece-bpe, bpe or characters");
  expect_error(heed(train(folder.path("moon")) + Words{"--text.protect", "moon"}), 2,
               "`text.protect` must be url, mail, placeholder, reference, tag or number, but is `moon`");
}

}  // namespace
}  // namespace heed::end_to_end
