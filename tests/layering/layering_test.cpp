// Compares every include below lib/heed with the floor table of lib/README.md, and the tests with what is built.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Module {
  int floor = 0;
  bool torch = false;
};

fs::path library() { return fs::path(std::getenv("HEED_SOURCE_DIR")) / "lib"; }

/// The rows `| floor | module | ... | yes or no |` of lib/README.md.
std::map<std::string, Module> floor_table() {
  std::map<std::string, Module> table;
  std::ifstream readme(library() / "README.md");
  const std::regex row(R"(\| (\d+) \| (\w+) \|.*\| (yes|no) \|)");
  for (std::string line; std::getline(readme, line);) {
    std::smatch match;
    if (std::regex_match(line, match, row)) table[match[2]] = {std::stoi(match[1]), match[3] == "yes"};
  }
  return table;
}

struct Include {
  fs::path file;
  int line = 0;
  std::string path;
};

std::vector<Include> includes_of_file(const fs::path& path) {
  static const std::regex pattern(R"(\s*#include [<"]([^>"]+)[>"].*)");
  std::vector<Include> includes;
  std::ifstream file(path);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, pattern)) includes.push_back({path, number, match[1]});
  }
  return includes;
}

std::vector<Include> includes_of(const fs::path& folder) {
  std::vector<Include> includes;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
    for (Include& include : includes_of_file(entry.path())) includes.push_back(std::move(include));
  }
  return includes;
}

bool is_torch(const std::string& path) {
  return path.starts_with("torch/") || path.starts_with("ATen/") || path.starts_with("c10/");
}

TEST(Layering, EveryModuleIsInTheTable) {
  const auto table = floor_table();
  ASSERT_FALSE(table.empty());
  for (const auto& entry : fs::directory_iterator(library() / "heed")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(table.contains(entry.path().filename())) << entry.path();
  }
}

TEST(Layering, ModulesIncludeLowerFloorsOnly) {
  const auto table = floor_table();
  for (const auto& [name, module] : table) {
    if (!fs::exists(library() / "heed" / name)) continue;
    for (const Include& include : includes_of(library() / "heed" / name)) {
      if (!include.path.starts_with("heed/")) continue;
      const std::string other = *std::next(fs::path(include.path).begin());
      ASSERT_TRUE(table.contains(other)) << include.file << ":" << include.line;
      EXPECT_TRUE(other == name || table.at(other).floor < module.floor)
          << include.file << ":" << include.line << ": " << name << " may not include " << include.path;
    }
  }
}

TEST(Layering, FloorsWithoutTorchIncludeNone) {
  for (const auto& [name, module] : floor_table()) {
    if (module.torch || !fs::exists(library() / "heed" / name)) continue;
    for (const Include& include : includes_of(library() / "heed" / name)) {
      EXPECT_FALSE(is_torch(include.path)) << include.file << ":" << include.line << ": " << include.path;
    }
  }
}

/// The files that these include, directly or through others, and they themselves.
std::set<fs::path> reached_from(std::vector<fs::path> waiting) {
  std::set<fs::path> reached;
  while (!waiting.empty()) {
    const fs::path file = waiting.back();
    waiting.pop_back();
    if (!reached.insert(file).second) continue;
    for (const Include& include : includes_of_file(file)) {
      if (include.path.starts_with("heed/")) waiting.push_back(library() / include.path);
    }
  }
  return reached;
}

// heed::architecture (lib/heed/models/CMakeLists.txt) has them, for programs without torch.
TEST(Layering, OptionsOfAModelReachNoTorch) {
  std::vector<fs::path> files{library() / "heed/models/architecture.h", library() / "heed/models/architecture.cpp"};
  for (const auto& entry : fs::recursive_directory_iterator(library() / "heed/models")) {
    if (entry.path().stem() == "options") files.push_back(entry.path());
  }
  ASSERT_GT(files.size(), 2);
  const auto reached = reached_from(files);
  EXPECT_TRUE(reached.contains(library() / "heed/nn/attention/score_options.h"));
  for (const fs::path& file : reached) {
    for (const Include& include : includes_of_file(file)) {
      EXPECT_FALSE(is_torch(include.path)) << include.file << ":" << include.line << ": " << include.path;
    }
  }
}

TEST(Layering, OnlyTheConfigFloorSeesTheTomlLibrary) {
  for (const Include& include : includes_of(library() / "heed")) {
    if (include.path.starts_with("toml++/")) {
      EXPECT_NE(include.file.string().find("/config/"), std::string::npos) << include.file << ":" << include.line;
    }
  }
}

TEST(Layering, EveryTestIsBuilt) {
  const fs::path tests = fs::path(std::getenv("HEED_SOURCE_DIR")) / "tests";
  for (const auto& entry : fs::recursive_directory_iterator(tests)) {
    if (!entry.path().filename().string().ends_with("_test.cpp")) continue;
    bool named = false;  // by the list of its folder or of one above
    for (fs::path folder = entry.path().parent_path(); !named && folder != tests; folder = folder.parent_path()) {
      std::ifstream list(folder / "CMakeLists.txt");
      const std::string text(std::istreambuf_iterator<char>(list), {});
      const std::regex name("(^|[^\\w])" + entry.path().filename().string() + "($|[\\s)])");
      named = std::regex_search(text, name);
    }
    EXPECT_TRUE(named) << entry.path();
  }
}

}  // namespace
