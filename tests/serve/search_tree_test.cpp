#include "heed/serve/search_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "heed/core/files/atomic_file.h"
#include "heed/model_directory/manifest.h"
#include "serve/stored_model.h"
#include "support/temporary_directory.h"

namespace heed::serve {
namespace {

using Json = nlohmann::ordered_json;

/// The tokens on the way to a node, without begin-of-sentence.
std::string path_to(const Json& nodes, int64_t node) {
  std::string path;
  for (int64_t at = node; nodes[static_cast<size_t>(at)]["parent"] >= 0;
       at = nodes[static_cast<size_t>(at)]["parent"]) {
    path = nodes[static_cast<size_t>(at)]["token"].get<std::string>() + " " + path;
  }
  return path;
}

TEST(SearchTree, HasThePathsOfTheTranslations) {
  const ServedModel model(stored_model(), {});
  const translation::SourceLine line{.text = "seven one four"};
  const Json tree = search_tree(model, {}, line);
  const auto translator = model.translator({.n_best = model.beam({}), .token_scores = true});
  const auto best = translator.translate({&line, 1}).front();
  ASSERT_EQ(tree["finished"].size(), best.others.size() + 1);
  EXPECT_EQ(tree["finished"][0]["translation"], best.text);
  const Json& nodes = tree["nodes"];
  EXPECT_EQ(nodes[0]["parent"], -1);
  const Json& found = nodes[tree["finished"][0]["node"].get<size_t>()];
  std::string tokens;
  double log_probability = 0;
  for (size_t i = 0; i < best.target.size(); ++i) {
    tokens += model.tokenizers().target->piece(best.target[i]) + " ";
    log_probability += static_cast<double>(best.token_log_probabilities[i]);
  }
  EXPECT_EQ(path_to(nodes, tree["finished"][0]["node"]), tokens);
  EXPECT_NEAR(found["log_probability"], log_probability, 1e-4);
}

TEST(SearchTree, KeepsAtMostTheBeamAtEachStepAndAPrefixAlone) {
  const ServedModel model(stored_model(), {});
  const Json tree = search_tree(model, {}, {.text = "seven one four", .prefix = "acht"});
  std::map<int64_t, int64_t> at_step;
  for (const Json& node : tree["nodes"]) ++at_step[node["step"].get<int64_t>()];
  for (const auto& [step, count] : at_step) EXPECT_LE(count, model.beam({})) << step;
  EXPECT_EQ(at_step[1], 1);
  EXPECT_TRUE(tree["finished"][0]["translation"].get<std::string>().starts_with("acht"));
}

TEST(SearchTree, OfGroupsIsThatOfTheTranslationsSearch) {
  const testing::TemporaryDirectory directory;
  const std::string copy = directory.file("model");
  std::filesystem::copy(stored_model(), copy);
  const std::string settings = copy + "/config.toml";
  const std::string options = read_file(settings), section = "[search]\nbeam = 5\n";
  ASSERT_NE(options.find(section), std::string::npos);
  write_file(settings,
             std::string(options).replace(options.find(section), section.size(), "[search]\nbeam = 4\ngroups = 2\n"));
  checkpoint::Manifest manifest = checkpoint::read_manifest(copy);
  manifest.files["config.toml"] = checkpoint::record_of(settings);
  checkpoint::write_manifest(copy, manifest);

  const ServedModel model(copy, {});
  EXPECT_EQ(model.beam({}), 4);
  EXPECT_EQ(model.beam({.n_best = 3}), 4);
  EXPECT_EQ(model.beam({.n_best = 5}), 6);
  const translation::SourceLine line{.text = "seven one four"};
  const Json tree = search_tree(model, {}, line);
  std::map<int64_t, int64_t> at_step;
  for (const Json& node : tree["nodes"]) {
    ++at_step[node["step"].get<int64_t>()];
    EXPECT_TRUE(node["log_probability"].is_number()) << node;
  }
  for (const auto& [step, count] : at_step) EXPECT_LE(count, 4) << step;
  const auto best = model.translator({.n_best = 4}).translate({&line, 1}).front();
  ASSERT_EQ(tree["finished"].size(), best.others.size() + 1);
  EXPECT_EQ(tree["finished"][0]["translation"], best.text);
  for (size_t i = 0; i < best.others.size(); ++i) {
    EXPECT_EQ(tree["finished"][i + 1]["translation"], best.others[i].text);
  }
}

}  // namespace
}  // namespace heed::serve
