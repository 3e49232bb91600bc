// What is printed for people: one line each, whatever paths and texts hold, and no text of a library.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/printable.h"

namespace heed::end_to_end {
namespace {

std::string model() { return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1"; }

/// Fails unless it is one line of at most 2,000 bytes that steers no terminal.
void expect_one_line(const std::string& errors) {
  const std::string line = errors.substr(0, errors.find('\n'));
  EXPECT_EQ(errors, line + "\n");
  EXPECT_EQ(printable(line), line);
  EXPECT_LT(line.size(), 2000u);
  EXPECT_NE(line.size(), 0u);
}

/// Of commands that fail: a hostile word takes the place of each `@`.
std::map<std::string, Words> failing_commands(const Folder& folder) {
  const std::string text = folder.file("text", "one\n");
  return {
      {"command", {"@"}},
      {"option", {"translate", "--@"}},
      {"value of an option", {"translate", "--model", model(), "--search.beam", "@"}},
      {"model", {"translate", "--model", folder.path("@")}},
      {"input", {"translate", "--model", model(), "--input", folder.path("@")}},
      {"output", {"translate", "--model", model(), "--input", text, "--output", folder.path("@") + "/x/y"}},
      {"checkpoint", {"translate", "--model", model(), "--checkpoint", "@"}},
      {"prefix", {"translate", "--model", model(), "--input", text, "--prefix", folder.path("@")}},
      {"configuration", {"train", "--config", folder.path("@")}},
      {"source", {"train", "--source", folder.path("@"), "--target", text, "--model", folder.path("m")}},
      {"preset", {"train", "--preset", "@", "--source", text, "--target", text, "--model", folder.path("m")}},
      {"reference", {"evaluate", "--reference", folder.path("@"), text}},
      {"metric", {"evaluate", "--reference", text, "--metric", "@", text}},
      {"reference of sacreBLEU", {"evaluate", folder.path("@"), "-i", text}},
      {"smoothing of sacreBLEU", {"evaluate", text, "-i", text, "-sv", "@"}},
      {"codes", {"bpe", "apply", "--codes", folder.path("@"), "--input", text}},
      {"glossary", {"bpe", "apply", "--codes", folder.file("codes", "#version: 0.2\n"), "--glossaries", "(@"}},
      {"SentencePiece's model", {"spm", "encode", "--model", folder.path("@")}},
      {"tokenizer", {"tokenize", "--tokenizer", folder.path("@"), "--input", text}},
      {"vectors", {"embeddings", "nearest", "--vectors", folder.path("@"), "one"}},
      {"model of others",
       {"import", "--from", "huggingface", "--input", folder.path("@"), "--model", folder.path("m")}},
      {"model to export", {"export", "--to", "ctranslate2", "--model", folder.path("@"), "--output", folder.path("x")}},
      {"models to average", {"average", "--model", folder.path("@"), "--output", folder.path("x")}},
      {"pairs to score", {"score", "--model", model(), "--source", folder.path("@"), "--target", text}},
      {"n-best lists", {"rerank", "--input", folder.path("@"), "--reference", text}},
  };
}

Words with_word(Words command, const std::string& hostile) {
  for (std::string& word : command) {
    if (const size_t place = word.find('@'); place != std::string::npos) word.replace(place, 1, hostile);
  }
  return command;
}

TEST(Messages, AreOnePrintableLine) {
  const Folder folder;
  const std::string separators = "a\nb\rc\td", controls = "a\x1b[31mb\x07\u009b\u202e\u2028", bytes = "a\xff\xfe\xc2";
  for (const auto& [name, command] : failing_commands(folder)) {
    for (const std::string& hostile : {separators, controls, bytes, std::string(70000, 'x')}) {
      SCOPED_TRACE(name + ": " + hostile.substr(0, 20));
      const Result result = heed(with_word(command, hostile));
      EXPECT_TRUE(result.code == 1 || result.code == 2) << result.code;
      EXPECT_EQ(result.output, "");
      expect_one_line(result.errors);
    }
  }
}

TEST(Messages, KeepTheEndsOfALongPath) {
  const Folder folder;
  std::string path = folder.path("");
  for (int i = 0; i < 15; ++i) path += std::string(200, 'd') + "/";
  const Result result = heed({"evaluate", "--reference", path + "train.en", path});
  expect_one_line(result.errors);
  EXPECT_TRUE(result.errors.starts_with("heed: " + folder.path(""))) << result.errors;
  EXPECT_TRUE(result.errors.ends_with("/train.en: cannot open: No such file or directory\n")) << result.errors;
}

/// Names that no file can have: std::filesystem throws at them.
TEST(Messages, NameNoLibrary) {
  const Folder folder;
  for (const auto& [name, command] : failing_commands(folder)) {
    SCOPED_TRACE(name);
    const std::string errors = heed(with_word(command, std::string(300, 'x'))).errors;
    for (const char* library : {"filesystem error", "[json.exception", "std::", "basic_", "c10::", "terminate"}) {
      EXPECT_EQ(errors.find(library), std::string::npos) << errors;
    }
  }
}

/// What a training shows of its validation text.
TEST(Messages, SamplesOfHostileTextSteerNoTerminal) {
  const Folder folder;
  std::string lines;
  for (int i = 0; i < 8; ++i) lines += "\x1b[2Ja\u202e b\x07 " + std::string(3000, 'c') + "\n";
  const std::string text = folder.file("text", lines);
  const Result result = heed({"train",
                              "--source",
                              text,
                              "--target",
                              text,
                              "--valid-source",
                              text,
                              "--valid-target",
                              text,
                              "--model",
                              folder.path("m"),
                              "--text.type",
                              "words",
                              "--arch.d-model",
                              "8",
                              "--arch.encoder.layers",
                              "1",
                              "--arch.decoder.layers",
                              "1",
                              "--train.max-steps",
                              "1",
                              "--valid.every",
                              "1",
                              "--threads",
                              "1"});
  EXPECT_EQ(result.code, 0) << result.errors;
  EXPECT_NE(result.errors.find("  source:     \\x1b[2Ja\\u202e b\\x07 ccc"), std::string::npos) << result.errors;
  for (const std::string& line : lines_of(result.errors)) {
    EXPECT_EQ(printable(line), line);
    EXPECT_LT(line.size(), 2100u);
  }
}

/// Results are the text as it is.
TEST(Messages, ResultsAreNotEscaped) {
  const Result translated =
      heed({"translate", "--model", model(), "--format", "tsv", "--threads", "1"}, "one\t\x1b[31m\n");
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_NE(translated.output.find("one\t\x1b[31m\teins\t"), std::string::npos) << translated.output;
}

}  // namespace
}  // namespace heed::end_to_end
