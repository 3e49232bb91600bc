#include "heed_torch/config/setup/saved_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed_torch/checkpoint/run_directory.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/resume_rules.h"
#include "heed_torch/config/setup/training_run.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

namespace fs = std::filesystem;
using heed::testing::message_of;

/// A training that was started in one folder and is resumed in another.
class SavedFilesOfATraining : public ::testing::Test {
 protected:
  static Setting option(const std::string& name, const std::string& value) { return {.name = name, .values = {value}}; }
  SavedFilesOfATraining() : before_(fs::current_path()) {
    for (const std::string folder : {"start", "elsewhere"}) fs::create_directories(directory_.file(folder));
    enter("start");
    for (const std::string name : {"en", "d[e]", "valid.en", "valid.de"}) write_file(name, "one two\ntwo one\n");
  }
  ~SavedFilesOfATraining() override { fs::current_path(before_); }

  void enter(const std::string& folder) const { fs::current_path(directory_.file(folder)); }
  std::string at_start(const std::string& name) const { return fs::canonical(directory_.file("start")) / name; }
  RunOptions options_with(std::vector<Setting> settings) const {
    settings.push_back(option("model", directory_.file("m")));
    return read_run_options({}, settings);
  }
  RunOptions started(std::vector<Setting> settings = {}) const {
    for (const auto& [name, value] :
         {std::pair{"source", "en"}, {"target", "d[e]"}, {"valid-source", "valid.en"}, {"valid-target", "valid.de"}}) {
      settings.push_back(option(name, value));
    }
    for (const auto& [name, value] : {std::pair{"text.type", "words"}, {"text.minimum-count", "1"}, {"threads", "1"}}) {
      settings.push_back(option(name, value));
    }
    return options_with(settings);
  }
  /// As a kill leaves it while the text is encoded.
  void prepare(const RunOptions& options) const { prepare_run(options); }
  /// As after the first step.
  void save_checkpoint() const {
    checkpoint::Checkpoint checkpoint;
    checkpoint.info.step = 1;
    checkpoint.state = "{}";
    checkpoint::RunDirectory(directory_.file("m")).save_checkpoint(checkpoint);
  }
  /// Writes config.toml, as if the training had begun with these options.
  void save_options(const RunOptions& options) const {
    write_file(directory_.file("m/config.toml"), format_options(options));
  }
  RunOptions resumed(const std::vector<Setting>& settings = {}) const {
    RunOptions options = options_with(settings);
    find_saved_files(options, settings);
    return options;
  }

  heed::testing::TemporaryDirectory directory_;
  fs::path before_;
};

TEST_F(SavedFilesOfATraining, AreFoundWhereItWasStartedBeforeItsFirstReport) {
  prepare(started());
  ASSERT_FALSE(fs::exists(directory_.file("m/metrics.jsonl")));
  enter("elsewhere");
  const RunOptions options = resumed();
  EXPECT_EQ(options.corpus.source, std::vector{at_start("en")});
  EXPECT_EQ(options.valid_corpus.target, std::vector{at_start("valid.de")});
  EXPECT_NO_THROW(prepare_run(options));
}

TEST_F(SavedFilesOfATraining, AreNoPatternsWhateverTheirNames) {
  prepare(started());
  enter("elsewhere");
  EXPECT_EQ(resumed().corpus.target, std::vector{at_start("d[e]")});
  fs::remove(at_start("d[e]"));
  EXPECT_NE(message_of<Error>([&] { resumed(); }).find("d[e]: this file does not exist; "), std::string::npos);
  EXPECT_NE(message_of<ConfigError>([&] { resumed({option("target", "d[e]")}); }).find("matches no file"),
            std::string::npos)
      << "what this start names is a pattern";
}

TEST_F(SavedFilesOfATraining, AreFoundWhateverTheyAreFor) {
  for (const std::string name : {"en.vec", "de.vec"}) write_file(name, "one 1\n");
  for (const std::string name : {"bleu.spm", "given.words"}) write_file(name, "one\n");
  fs::create_directories("base");
  prepare(started());
  RunOptions options = started();
  options.base.from = "base";
  options.vectors.source = "en.vec";
  options.vectors.target = "de.vec";
  options.text.tokenizers = ExistingTokenizers{.source = "given.words", .target = "given.words", .sampling = {}};
  std::get<training::TranslateValidText>(options.valid.translate).bleu.tokenizer_model = "bleu.spm";
  save_options(options);
  enter("elsewhere");
  const RunOptions found = resumed();
  EXPECT_EQ(found.base.from, at_start("base"));
  EXPECT_EQ(found.vectors.source, at_start("en.vec"));
  EXPECT_EQ(found.vectors.target, at_start("de.vec"));
  EXPECT_EQ(std::get<ExistingTokenizers>(found.text.tokenizers).source, at_start("given.words"));
  EXPECT_EQ(std::get<ExistingTokenizers>(found.text.tokenizers).target, at_start("given.words"));
  EXPECT_EQ(std::get<training::TranslateValidText>(found.valid.translate).bleu.tokenizer_model, at_start("bleu.spm"));

  save_checkpoint();
  const RunOptions begun = resumed();
  EXPECT_EQ(begun.base.from, "base") << "nothing reads it any more, and it must stay";
  EXPECT_EQ(conflicts(options_before(directory_.file("m")), begun), std::vector<std::string>{});
}

TEST_F(SavedFilesOfATraining, ChangeNoScoreWhereTheyAreFound) {
  write_file("bleu.spm", "one");
  write_file("other.spm", "two");
  const std::vector<Setting> bleu{option("valid.tokenize", "spm"), option("valid.tokenizer-model", "bleu.spm")};
  prepare(started());
  save_options(started(bleu));
  const auto scores = [](const RunOptions& options) { return state_conditions(options, {}).scores; };
  const std::string first = scores(started(bleu));
  enter("elsewhere");
  EXPECT_EQ(scores(resumed()), first);
  const RunOptions before = options_before(directory_.file("m"));
  EXPECT_EQ(scores(before), first);
  EXPECT_TRUE(option_changes(before, resumed()).empty());
  EXPECT_NE(scores(resumed({option("valid.tokenizer-model", at_start("other.spm"))})), first);
}

}  // namespace
}  // namespace heed::config
