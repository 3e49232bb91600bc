#include "heed_torch/config/resumed_settings.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_changes.h"
#include "heed_torch/config/setup/run_rules.h"
#include "support/message_of.h"
#include "support/temporary_directory.h"

namespace heed::config {
namespace {

class ResumedSettings : public ::testing::Test {
 protected:
  void save(const std::string& toml) { write_file(directory_.file("config.toml"), toml); }
  void begin() { std::filesystem::create_directories(directory_.file("checkpoints/0000010")); }

  Setting model() const { return {.name = "model", .values = {directory_.path()}}; }
  static Setting text(const std::string& name, const std::string& file) { return {.name = name, .values = {file}}; }
  RunOptions resumed(std::vector<Setting> settings) const {
    settings.push_back(model());
    return read_run_options({}, settings);
  }

  heed::testing::TemporaryDirectory directory_;
};

TEST_F(ResumedSettings, KeepValuesWhoseDefaultsHaveChanged) {
  save("source = \"a\"\ntarget = \"b\"\nseed = 7\n[text]\nnormalizer = \"nmt_nfkc\"\n");
  begin();
  const RunOptions options = resumed({text("source", "a"), text("target", "b")});
  EXPECT_EQ(options.seed, 7);
  const auto& learned = std::get<LearnedTokenizers>(options.text.tokenizers).options;
  EXPECT_EQ(std::get<text::UnigramOptions>(learned.type).subwords.of_target(), text::Normalizer::NmtNfkc);
}

TEST_F(ResumedSettings, GiveWayToWhatIsNamed) {
  save("source = \"a\"\ntarget = \"b\"\nseed = 7\n[train]\nmax-steps = 100\n");
  begin();
  const RunOptions options = resumed({{.name = "train.max-steps", .values = {"200"}}});
  EXPECT_EQ(options.train.max_updates, 200);
  EXPECT_EQ(options.seed, 7);
  EXPECT_EQ(options.corpus.source, std::vector<std::string>{"a"});
}

TEST_F(ResumedSettings, ALimitInEpochsReplacesTheOneInUpdates) {
  save("source = \"a\"\ntarget = \"b\"\n[train]\nmax-steps = 100\n");
  begin();
  const RunOptions options = resumed({{.name = "train.max-epochs", .values = {"20"}}});
  EXPECT_EQ(options.train.max_epochs, 20);
  EXPECT_EQ(options.train.max_updates, std::nullopt);
}

/// Options for rows of pairs, as saved.
constexpr const char* kRows = "[data]\nquotes = \"double\"\nheader = true\nbad-rows = \"leave-out\"\n";

TEST_F(ResumedSettings, OptionsOfRowsGoWithTheLastRows) {
  const data::TextFormat rows{.quotes = data::Quotes::Double, .header = true, .bad_rows = data::BadRows::LeaveOut};
  const std::vector<Setting> sides{text("valid-source", "c"), text("valid-target", "d")};
  save("source = \"a\"\ntarget = \"b\"\nvalid-pairs = \"p\"\n" + std::string(kRows));
  begin();
  EXPECT_EQ(resumed({}).data.corpus.format, rows);
  EXPECT_EQ(resumed({text("valid-pairs", "other")}).data.corpus.format, rows);
  const RunOptions changed = resumed(sides);
  EXPECT_EQ(changed.data.corpus.format, data::TextFormat());
  EXPECT_NO_THROW(validate(changed));
  EXPECT_EQ(conflicts(resumed({}), changed), std::vector<std::string>{});
  save("pairs = \"a\"\nvalid-pairs = \"p\"\n" + std::string(kRows));
  EXPECT_EQ(resumed(sides).data.corpus.format, rows) << "of the training text";
}

TEST_F(ResumedSettings, WeightsGoWithTextOfAnotherForm) {
  save("pairs = \"a\"\nweight-column = true\n");
  begin();
  const RunOptions sides = resumed({text("source", "b"), text("target", "c")});
  EXPECT_FALSE(sides.corpus.weight_column);
  EXPECT_NO_THROW(validate(sides));
  EXPECT_EQ(conflicts(resumed({}), sides), std::vector<std::string>{}) << "the text itself is refused";
  EXPECT_TRUE(resumed({text("pairs", "other")}).corpus.weight_column);
  save("source = \"a\"\ntarget = \"b\"\nweights = [\"w\"]\n");
  EXPECT_EQ(resumed({text("pairs", "p")}).corpus.weights, std::vector<std::string>{});
  EXPECT_EQ(resumed({text("source", "other")}).corpus.weights, std::vector<std::string>{"w"});
}

TEST_F(ResumedSettings, TextThatIsNamedReplacesTheSavedText) {
  save("source = \"a\"\ntarget = \"b\"\nvalid-source = \"c\"\nvalid-target = \"d\"\n");
  begin();
  RunOptions options = resumed({text("pairs", "moved.tsv")});
  EXPECT_EQ(options.corpus.pairs, std::vector<std::string>{"moved.tsv"});
  EXPECT_TRUE(options.corpus.source.empty());
  EXPECT_TRUE(options.corpus.target.empty());
  EXPECT_EQ(options.valid_corpus.target, std::vector<std::string>{"d"});

  save("pairs = \"p\"\nvalid-pairs = \"q\"\n");
  options = resumed({text("source", "a"), text("target", "b"), text("valid-source", "c"), text("valid-target", "d")});
  EXPECT_TRUE(options.corpus.pairs.empty());
  EXPECT_TRUE(options.valid_corpus.pairs.empty());
}

TEST_F(ResumedSettings, AreThoseOfATrainingThatHasACheckpointOrOfNoTextAtAll) {
  save("source = \"a\"\ntarget = \"b\"\nseed = 7\n");
  EXPECT_EQ(resumed({text("source", "a"), text("target", "b")}).seed, RunOptions{}.seed);
  EXPECT_EQ(resumed({}).seed, 7);
}

TEST_F(ResumedSettings, DoNotGoWithAnotherPreset) {
  save("preset = \"transformer-tiny\"\nsource = \"a\"\ntarget = \"b\"\n");
  const Setting other{.name = "preset", .values = {"transformer-big"}};
  EXPECT_EQ(heed::testing::message_of<ConfigError>([&] { resumed({other}); }),
            "`preset` must be transformer-tiny, as in " + directory_.file("config.toml") +
                ", which gives all options of the training");
}

}  // namespace
}  // namespace heed::config
