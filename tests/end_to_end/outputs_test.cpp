// What every command that writes a file promises of it, however it ends.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "end_to_end/programs.h"
#include "heed/core/files/atomic_file.h"

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

std::string model(const std::string& file = "") {
  return std::string(std::getenv("HEED_SOURCE_DIR")) + "/tests/end_to_end/model_v1" + file;
}

/// A command that writes `output`, and how its help calls that.
struct Writer {
  std::string name;
  std::function<Words(const std::string& output)> words;
  std::string ending = {};  ///< of its output's name
};

class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    std::string lines;
    for (int i = 0; i < 60; ++i) lines += "one two three four five six seven\n";
    text = folder.file("text", lines);
    other = folder.file("other", lines + lines);
  }

  /// Commands whose output is one file.
  std::vector<Writer> writers() const {
    const Words translate{"translate", "--model", model(), "--threads", "1", "--input", text, "--output"};
    return {
        {"translate", [=](const auto& o) { return translate + Words{o}; }},
        {"translate --continue", [=](const auto& o) { return translate + Words{o, "--continue"}; }},
        {"translate to .gz", [=](const auto& o) { return translate + Words{o}; }, ".gz"},
        {"translate --alignment",
         [=, this](const auto& o) { return translate + Words{folder.path("lines"), "--alignment", o}; }},
        {"align",
         [this](const auto& o) {
           return Words{"align", "--model", model(), "--source", text, "--target", text, "--output", o};
         }},
        {"tokenize",
         [this](const auto& o) {
           return Words{"tokenize", "--tokenizer", model("/source.words"), "--input", text, "--output", o};
         }},
        {"bpe learn", [this](const auto& o) { return Words{"bpe", "learn", "-s", "5", "-i", text, "-o", o}; }},
        {"bpe vocabulary", [this](const auto& o) { return Words{"bpe", "vocabulary", "-i", text, "-o", o}; }},
        {"bpe learn-joint",
         [this](const auto& o) {
           return Words{"bpe",
                        "learn-joint",
                        "--symbols",
                        "5",
                        "--input",
                        text,
                        other,
                        "--output",
                        folder.path("codes"),
                        "--write-vocabulary",
                        o,
                        folder.path("second")};
         }},
        {"spm train",
         [this](const auto& o) {
           const std::string prefix = o.substr(0, o.rfind('.'));
           return Words{"spm",
                        "train",
                        "--input=" + text,
                        "--model_prefix=" + prefix,
                        "--model_type=char",
                        "--vocab_size=30",
                        "--hard_vocab_limit=false",
                        "--minloglevel=3"};
         },
         ".model"},
        {"embeddings train",
         [this](const auto& o) {
           return Words{"embeddings", "train", "--input", text, "--output", o, "--width", "8", "--epochs", "1"};
         }},
    };
  }

  std::string output_of(const Writer& writer, size_t name_length = 12) const {
    return folder.path(std::string(name_length - writer.ending.size(), 'o') + writer.ending);
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder.path("."))) found.insert(entry.path().filename());
    return found;
  }
  /// Runs it in a shell: `{}` of the text is the command.
  Result in_shell(const std::string& shell, const Words& words) const {
    std::string command = heed_path();
    for (const std::string& word : words) command += " '" + word + "'";
    const std::string line = std::string(shell).replace(shell.find("{}"), 2, command);
    // Standard error is a pipe, which no limit of files cuts.
    const std::string whole = "{ " + line + "; echo $? > " + streams.path("status") + "; } 2>&1 > " +
                              streams.path("printed") + " | cat > " + streams.path("errors");
    EXPECT_EQ(std::system(whole.c_str()), 0);
    return {
        .code = std::stoi(streams.read("status")), .output = streams.read("printed"), .errors = streams.read("errors")};
  }

  Folder folder, streams;
  std::string text, other;
};

TEST_F(Outputs, KeepTheModeOfTheFileThatTheyReplace) {
  for (const Writer& writer : writers()) {
    const std::string output = output_of(writer);
    write_file(output, writer.name.ends_with("--continue") ? "" : "old");
    chmod(output.c_str(), 0600);
    const Result result = heed(writer.words(output));
    EXPECT_EQ(result.code, 0) << writer.name << ": " << result.errors;
    EXPECT_GT(fs::file_size(output), 3U) << writer.name;
    EXPECT_EQ(fs::status(output).permissions(), fs::perms::owner_read | fs::perms::owner_write) << writer.name;
    fs::remove(output);
  }
}

TEST_F(Outputs, HaveNamesAsLongAsTheFileSystemAllows) {
  for (const Writer& writer : writers()) {
    for (const size_t length : {247, 255}) {
      const std::string output = output_of(writer, length);
      const Result result = heed(writer.words(output));
      EXPECT_EQ(result.code, 0) << writer.name << ": " << result.errors;
      EXPECT_TRUE(fs::exists(output)) << writer.name;
      fs::remove(output);
    }
  }
}

TEST_F(Outputs, ThatCannotBeWrittenAreRefusedBeforeTheWork) {
  for (const Writer& writer : writers()) {
    const std::string output = output_of(writer, 256);
    const Result result = heed(writer.words(output));
    EXPECT_EQ(result.code, 1) << writer.name;
    EXPECT_EQ(result.errors, "heed: " + output + ": cannot write: File name too long\n") << writer.name;
  }
}

TEST_F(Outputs, NeverHoldWhatIsMeantForAClosedStandardError) {
  for (const Writer& writer : writers()) {
    const std::string output = output_of(writer);
    ASSERT_EQ(heed(writer.words(output)).code, 0) << writer.name;
    const std::string right = read_file(output);
    fs::remove(output);
    for (const char* shell : {"{} 2>&-", "{} <&- 2>&-", "{} <&- >&- 2>&-"}) {
      EXPECT_EQ(in_shell(shell, writer.words(output)).code, 0) << writer.name << ": " << shell;
      EXPECT_EQ(read_file(output), right) << writer.name << ": " << shell;
      fs::remove(output);
    }
  }
}

TEST_F(Outputs, ThatGoToAClosedStandardOutputAreAnError) {
  const Words tokenize{"tokenize", "--tokenizer", model("/source.words"), "--input", text};
  for (const Words& words :
       {tokenize, tokenize + Words{"--output", "/dev/stdout"}, Words{"help"}, Words{"--version"}}) {
    const Result result = in_shell("{} >&-", words);
    EXPECT_EQ(result.code, 1) << words.back();
    EXPECT_NE(result.errors.find("cannot write: Bad file descriptor\n"), std::string::npos) << result.errors;
  }
  const Result read = in_shell("{} <&-", {"tokenize", "--tokenizer", model("/source.words")});
  EXPECT_EQ(read.code, 1);
  EXPECT_EQ(read.errors, "heed: standard input: cannot read: Bad file descriptor\n");
}

TEST_F(Outputs, AreAsBeforeWhereFilesMayGrowNoMore) {
  for (const Writer& writer : writers()) {
    if (writer.name == "translate --continue") continue;  // which keeps what it has written
    const std::string output = output_of(writer);
    write_file(output, "old");
    const auto before = names();
    const Result result = in_shell("(ulimit -f 0; {})", writer.words(output));
    EXPECT_EQ(result.code, 1) << writer.name;
    EXPECT_TRUE(result.errors.ends_with(": cannot write: File too large\n")) << writer.name << ": " << result.errors;
    EXPECT_EQ(read_file(output), "old") << writer.name;
    EXPECT_EQ(names(), before) << writer.name;
    fs::remove(output);
  }
}

TEST_F(Outputs, OfOneCommandAppearTogetherOrNotAtAll) {
  const Words joint{"bpe",
                    "learn-joint",
                    "--symbols",
                    "5",
                    "--input",
                    text,
                    other,
                    "--output",
                    folder.path("codes"),
                    "--write-vocabulary",
                    folder.path("first"),
                    folder.path("second")};
  write_file(folder.path("codes"), "old");
  const auto before = names();
  // Only the third is longer than the limit of 512 bytes: it lists 4096 characters, U+4000 and those after it.
  std::string characters;
  for (char second = '\x80'; second <= '\xbf'; ++second) {
    for (char third = '\x80'; third <= '\xbf'; ++third) characters += {'\xe4', second, third};
  }
  write_file(other, characters + "\n");
  const Result result = in_shell("(ulimit -f 1; {})", joint);
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(result.errors.ends_with(folder.path("second") + ": cannot write: File too large\n")) << result.errors;
  EXPECT_EQ(names(), before);
  EXPECT_EQ(folder.read("codes"), "old");
}

TEST_F(Outputs, OfSentencePieceAreWholeOrMissing) {
  const std::string prefix = folder.path("pieces");
  const Words train{"spm",
                    "train",
                    "--input=" + text,
                    "--model_prefix=" + prefix,
                    "--vocab_size=30",
                    "--hard_vocab_limit=false",
                    "--minloglevel=3"};
  const Result cut = in_shell("(ulimit -f 1; {})", train);
  EXPECT_EQ(cut.code, 1);
  EXPECT_TRUE(cut.errors.ends_with(prefix + ".model: cannot write: File too large\n")) << cut.errors;
  EXPECT_FALSE(fs::exists(prefix + ".model"));
  EXPECT_FALSE(fs::exists(prefix + ".vocab"));
  ASSERT_EQ(heed(train).code, 0);
  EXPECT_TRUE(folder.read("pieces.vocab").starts_with("<unk>\t0\n<s>\t0\n</s>\t0\n")) << folder.read("pieces.vocab");
  ASSERT_EQ(heed(train + Words{"--vocabulary_output_piece_score=false"}).code, 0);
  EXPECT_TRUE(folder.read("pieces.vocab").starts_with("<unk>\n<s>\n</s>\n")) << folder.read("pieces.vocab");
}

TEST_F(Outputs, ThatAreDirectoriesAppearWholeOrNotAtAll) {
  const std::string theirs = folder.path("theirs");
  const Words exporting{"export", "--to", "ctranslate2", "--model", model(), "--output"};
  ASSERT_EQ(heed(exporting + Words{theirs}).code, 0);
  const Words importing{"import", "--from", "ctranslate2", "--input", theirs, "--model"};
  for (const Words& command : {exporting, importing}) {
    const std::string output = folder.path(command[0]);
    const auto before = names();
    const Result result = in_shell("(ulimit -f 2; {})", command + Words{output});
    EXPECT_EQ(result.code, 1) << command[0];
    EXPECT_NE(result.errors.find(": cannot write: File too large\n"), std::string::npos) << result.errors;
    EXPECT_NE(result.errors.find("heed: " + output + "/"), std::string::npos) << "the name it would have had";
    EXPECT_EQ(names(), before) << command[0];
    // What a killed process leaves is in nobody's way.
    fs::create_directory(folder.path("." + command[0] + ".heed0.tmp"));
    EXPECT_EQ(heed(command + Words{output}).code, 0) << command[0];
    EXPECT_FALSE(fs::exists(folder.path("." + command[0] + ".heed0.tmp"))) << command[0];
  }
}

}  // namespace
}  // namespace heed::end_to_end
