// Every preset, made small, every mix of an encoder with another family's decoder and every score, choice, window and
// coverage of a recurrent decoder trains, is opened again, translates, scores and shows its attention.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "end_to_end/programs.h"

namespace heed::end_to_end {
namespace {

struct SmallPreset {
  std::string name;
  Words sizes;  // options that make it small
  bool attends = true;
  std::string test = {};  // the test's name, where it is not the preset's
};

Words side_sizes(const std::string& side, const std::string& type) {
  const std::string section = "--arch." + side;
  if (type != "transformer") return {section + ".hidden", "16"};
  return {section + ".layers", "1", section + ".heads", "2", section + ".feed-forward.hidden", "16"};
}

Words transformer_sizes() { return side_sizes("encoder", "transformer") + side_sizes("decoder", "transformer"); }

Words cell_sizes(const std::string& encoder) {
  return {"--arch.encoder.hidden", encoder, "--arch.decoder.hidden", "16"};
}

std::vector<SmallPreset> small_presets() {
  return {{"transformer-low-resource", transformer_sizes()},
          {"transformer-tiny", transformer_sizes()},
          {"transformer-small", transformer_sizes()},
          {"transformer-base", transformer_sizes()},
          {"transformer-big", transformer_sizes()},
          {"rnn-sutskever", cell_sizes("16"), /*attends=*/false},
          {"rnn-bahdanau", cell_sizes("8")},
          {"rnn-luong", cell_sizes("16")},
          {"rnn-gnmt", cell_sizes("16")},
          {"rnn-memory", cell_sizes("8")},
          {"conv", cell_sizes("16")}};
}

std::vector<SmallPreset> small_mixes() {
  std::vector<SmallPreset> mixes;
  for (const std::string encoder : {"transformer", "rnn", "convolution"}) {
    for (const std::string decoder : {"transformer", "rnn", "convolution"}) {
      if (encoder == decoder) continue;
      mixes.push_back({.name = "transformer-tiny",
                       .sizes = Words{"--arch.encoder.type", encoder, "--arch.decoder.type", decoder} +
                                side_sizes("encoder", encoder) + side_sizes("decoder", decoder),
                       .test = encoder + "-" + decoder});
    }
  }
  return mixes;
}

std::vector<SmallPreset> small_attentions() {
  const auto with = [](const std::string& test, const Words& options) {
    return SmallPreset{.name = "rnn-bahdanau", .sizes = cell_sizes("8") + options, .test = test};
  };
  const auto scored = [&](const std::string& score) { return with(score, {"--arch.decoder.score", score}); };
  return {scored("dot"),
          scored("scaled-dot"),
          scored("cosine"),
          scored("general"),
          scored("uniform"),
          scored("idf"),
          scored("tf-idf"),
          with("location", {"--arch.decoder.score", "location", "--data.max-source-length", "99"}),
          with("sparsemax", {"--arch.decoder.attention-function", "sparsemax"}),
          with("hard", {"--arch.decoder.attention-function", "hard"}),
          with("gumbel", {"--arch.decoder.attention-function", "gumbel"}),
          with("local-m", {"--arch.decoder.window", "local-m"}),
          with("local-p", {"--arch.decoder.window", "local-p"}),
          with("linguistic-coverage", {"--arch.decoder.coverage", "linguistic"}),
          with("neural-coverage", {"--arch.decoder.coverage", "neural"}),
          {.name = "rnn-luong",
           .sizes = cell_sizes("16") + Words{"--arch.decoder.input-feeding", "false"},
           .test = "no-feeding"}};
}

std::vector<SmallPreset> small_language_models() {
  return {{"lm-lstm", {"--arch.decoder.hidden", "16"}},
          {"lm-transformer",
           {"--arch.decoder.layers", "1", "--arch.decoder.heads", "2", "--arch.decoder.feed-forward.hidden", "16"}}};
}

std::string test_name(const testing::TestParamInfo<SmallPreset>& preset) {
  std::string name = preset.param.test.empty() ? preset.param.name : preset.param.test;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

TEST(Presets, AllThatHelpNamesAreTried) {
  std::string tried;
  for (const auto& presets : {small_presets(), small_language_models()}) {
    for (const SmallPreset& preset : presets) tried += (tried.empty() ? "" : ", ") + preset.name;
  }
  std::string help;
  for (const std::string& line : lines_of(heed({"train", "--help"}).output)) {
    help += ' ' + line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }
  EXPECT_NE(help.find("[one of " + tried + "; default transformer-low-resource]"), std::string::npos) << tried;
}

/// Splits "LINE ||| TRANSLATION ||| SCORE".
std::pair<std::string, double> listed(const std::string& line) {
  const std::string mark = " ||| ";
  const size_t first = line.find(mark) + mark.size(), second = line.rfind(mark);
  return {line.substr(first, second - first), std::stod(line.substr(second + mark.size()))};
}

/// Whatever translates step by step gives what it found the probability that scoring gives it, all positions at once.
void expect_scores_of_translations(const Folder& folder, const Words& model) {
  const auto with_model = [&](Words command) {
    command.insert(command.end(), model.begin(), model.end());
    command.insert(command.end(), {"--checkpoint", "3"});
    return command;
  };
  const Result list = heed(with_model({"translate", "--search.length-penalty", "none", "--search.n-best", "2"}),
                           "one two\nthree two one\n");
  EXPECT_EQ(list.code, 0) << list.errors;
  const Words lines = lines_of(list.output);
  ASSERT_EQ(lines.size(), 4u) << list.output;
  std::string translations;
  for (const std::string& line : lines) translations += listed(line).first + '\n';
  const std::string source = folder.file("list.en", "one two\none two\nthree two one\nthree two one\n");
  const Result scored =
      heed(with_model({"score", "--source", source, "--target", folder.file("list.de", translations)}));
  EXPECT_EQ(scored.code, 0) << scored.errors;
  const Words scores = lines_of(scored.output);
  ASSERT_EQ(scores.size(), 4u) << scored.output;
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(std::stod(scores[i]), listed(lines[i]).second, 2e-3) << lines[i];
  for (const size_t first : {0, 2}) {
    EXPECT_NE(listed(lines[first]).first, listed(lines[first + 1]).first);
    EXPECT_GE(listed(lines[first]).second, listed(lines[first + 1]).second);
  }
}

class EveryPreset : public testing::TestWithParam<SmallPreset> {};

TEST_P(EveryPreset, TrainsTranslatesScoresAndAligns) {
  const auto& [name, sizes, attends, test] = GetParam();
  const Folder folder;
  std::string english, german;
  for (int i = 0; i < 60; ++i) {
    english += i % 3 == 0 ? "one two three\n" : i % 3 == 1 ? "two one\n" : "three three one two\n";
    german += i % 3 == 0 ? "drei zwei eins\n" : i % 3 == 1 ? "eins zwei\n" : "zwei eins drei drei\n";
  }
  const std::string source = folder.file("train.en", english), target = folder.file("train.de", german);
  // clang-format off
  Words train{"train", "--preset", name, "--source", source, "--target", target, "--valid-source", source,
              "--valid-target", target, "--model", folder.path("model"), "--text.type", "words", "--arch.d-model", "16",
              "--data.batch-tokens", "100", "--train.max-steps", "3", "--train.schedule.warmup", "1",
              "--valid.every", "3", "--threads", "1"};
  // clang-format on
  train.insert(train.end(), sizes.begin(), sizes.end());
  const Result trained = heed(train);
  ASSERT_EQ(trained.code, 0) << trained.errors;

  const Words model{"--model", folder.path("model"), "--threads", "1"};
  const auto with_model = [&](Words command) {
    command.insert(command.end(), model.begin(), model.end());
    return command;
  };
  const Result translated = heed(with_model({"translate"}), "one two\n\nthree\n");
  EXPECT_EQ(translated.code, 0) << translated.errors;
  EXPECT_EQ(lines_of(translated.output).size(), 3u);
  EXPECT_EQ(lines_of(translated.output).at(1), "");
  expect_scores_of_translations(folder, model);
  const Result aligned = heed(with_model({"align", "--source", source, "--target", target}));
  const Result shown = heed(with_model({"translate", "--alignment", folder.path("links")}), "one two\n\nthree\n");
  if (attends) {
    EXPECT_EQ(shown.output, translated.output);
    EXPECT_EQ(lines_of(folder.read("links")).size(), 3u);
    EXPECT_EQ(aligned.code, 0) << aligned.errors;
    EXPECT_EQ(lines_of(aligned.output).size(), 60u);
    const Words every_head{"align", "--source", source, "--target", target, "--format", "json", "--all-heads"};
    const std::string heads = heed(with_model(every_head)).output;
    EXPECT_NE(heads.find("\"heads\":[[[["), std::string::npos) << heads.substr(0, 300);
  } else {
    expect_error(shown, 2, "this model has no attention to show");
    expect_error(aligned, 2, "this model has no attention to show");
  }
}

class EveryLanguageModel : public testing::TestWithParam<SmallPreset> {};

TEST_P(EveryLanguageModel, TrainsScoresAndGenerates) {
  const auto& [name, sizes, attends, test] = GetParam();
  const Folder folder;
  std::string german;
  for (int i = 0; i < 60; ++i) german += i % 2 == 0 ? "drei zwei eins\n" : "eins zwei\n";
  const std::string text = folder.file("train.de", german);
  // clang-format off
  Words train{"train", "--preset", name, "--target", text, "--valid-target", text, "--model", folder.path("model"),
              "--text.type", "words", "--arch.d-model", "16", "--data.batch-tokens", "100", "--train.max-steps", "3",
              "--train.schedule.warmup", "1", "--valid.every", "3", "--threads", "1"};
  // clang-format on
  train.insert(train.end(), sizes.begin(), sizes.end());
  const Result trained = heed(train);
  ASSERT_EQ(trained.code, 0) << trained.errors;
  EXPECT_NE(trained.errors.find("perplexity"), std::string::npos) << trained.errors;
  const Result scored = heed({"score", "--model", folder.path("model"), "--threads", "1"}, german);
  EXPECT_EQ(scored.code, 0) << scored.errors;
  EXPECT_EQ(lines_of(scored.output).size(), 60u);
  const Result made = heed(
      {"generate", "--model", folder.path("model"), "--threads", "1", "--prompt", "", "--samples", "12", "--scores"});
  EXPECT_EQ(made.code, 0) << made.errors;
  std::string texts;
  for (const std::string& line : lines_of(made.output)) texts += line.substr(line.find('\t') + 1) + '\n';
  const Words scores = lines_of(heed({"score", "--model", folder.path("model"), "--threads", "1"}, texts).output);
  ASSERT_EQ(scores.size(), 12u) << texts;
  for (size_t i = 0; i < 12; ++i) {
    const std::string line = lines_of(made.output)[i];
    if (line.ends_with('\t')) continue;  // scoring leaves out an empty line
    EXPECT_NEAR(std::stod(line), std::stod(scores[i]), 2e-3) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryLanguageModel, testing::ValuesIn(small_language_models()), test_name);
INSTANTIATE_TEST_SUITE_P(All, EveryPreset, testing::ValuesIn(small_presets()), test_name);
INSTANTIATE_TEST_SUITE_P(Mixes, EveryPreset, testing::ValuesIn(small_mixes()), test_name);
INSTANTIATE_TEST_SUITE_P(Attentions, EveryPreset, testing::ValuesIn(small_attentions()), test_name);

}  // namespace
}  // namespace heed::end_to_end
