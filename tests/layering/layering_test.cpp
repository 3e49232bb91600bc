// Compares every include below lib with the layers of lib/README.md, and the tests with what is built.
#include <gtest/gtest.h>

#include <algorithm>
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

constexpr const char* kLibraries[] = {"heed", "heed_torch"};

fs::path root() { return std::getenv("HEED_SOURCE_DIR"); }
fs::path library() { return root() / "lib"; }

/// The rows `| layer | module | ... |` of lib/README.md.
std::map<std::string, int> layer_table() {
  std::map<std::string, int> table;
  std::ifstream readme(library() / "README.md");
  const std::regex row(R"(\| (\d+) \| (\w+/\w+) \|.*\|)");
  for (std::string line; std::getline(readme, line);) {
    std::smatch match;
    if (std::regex_match(line, match, row)) table[match[2]] = std::stoi(match[1]);
  }
  return table;
}

struct Include {
  fs::path file;
  int line = 0;
  std::string path;
};

std::vector<Include> includes_of_file(const fs::path& path) {
  static const std::regex pattern(R"(\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
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
    const auto name = entry.path().filename().string();
    if (name == "CMakeLists.txt" || name.ends_with(".toml")) continue;
    for (Include& include : includes_of_file(entry.path())) includes.push_back(std::move(include));
  }
  return includes;
}

bool is_heed(const std::string& path) { return path.starts_with("heed/") || path.starts_with("heed_torch/"); }

/// Of "heed/core/text/unicode.h" the module, "heed/core".
std::string module_of(const fs::path& path) {
  auto part = path.begin();
  const fs::path first = *part++;
  return first / *part;
}

/// What a file is called in an include.
fs::path name_of(const fs::path& file) { return fs::relative(file, library()); }

TEST(Layering, EveryModuleIsInTheTable) {
  const auto table = layer_table();
  ASSERT_FALSE(table.empty());
  size_t modules = 0;
  for (const fs::path name : kLibraries) {
    for (const auto& entry : fs::directory_iterator(library() / name)) {
      if (!entry.is_directory()) continue;
      ++modules;
      EXPECT_TRUE(table.contains(name / entry.path().filename())) << entry.path();
    }
  }
  EXPECT_EQ(modules, table.size()) << "the table names modules that are not there";
}

TEST(Layering, ModulesIncludeLowerLayersOnly) {
  const auto table = layer_table();
  for (const auto& [name, layer] : table) {
    for (const Include& include : includes_of(library() / name)) {
      if (!is_heed(include.path)) continue;
      const std::string other = module_of(include.path);
      ASSERT_TRUE(table.contains(other)) << include.file << ":" << include.line;
      EXPECT_TRUE(other == name || table.at(other) < layer)
          << include.file << ":" << include.line << ": " << name << " may not include " << include.path;
    }
  }
}

/// Whether a file on the side without LibTorch must not include this: LibTorch's headers, those of heed_torch, and
/// paths that could lead to them.
bool is_beyond_the_wall(const std::string& path) {
  for (const char* begin : {"torch/", "torch.h", "ATen/", "c10/", "caffe2/", "heed_torch/", "../", "cuda", "nccl"}) {
    if (path.starts_with(begin)) return true;
  }
  return false;
}

// The wall: what is in lib/heed and apps/heed is compiled and linked without LibTorch.
TEST(Layering, HeedReachesNoTorch) {
  for (const fs::path& folder : {library() / "heed", root() / "apps/heed"}) {
    const auto includes = includes_of(folder);
    ASSERT_GT(includes.size(), 100U);
    for (const Include& include : includes) {
      EXPECT_FALSE(is_beyond_the_wall(include.path)) << include.file << ":" << include.line << ": " << include.path;
    }
  }
  std::ifstream list(library() / "heed/CMakeLists.txt");
  const std::string text(std::istreambuf_iterator<char>(list), {});
  EXPECT_EQ(text.find(" torch"), std::string::npos);
  EXPECT_TRUE(is_beyond_the_wall("ATen/ATen.h"));
  EXPECT_TRUE(is_beyond_the_wall("../../heed_torch/nn/linear.h"));
  EXPECT_FALSE(is_beyond_the_wall("heed/core/error.h"));
}

/// The folders that each folder includes, and an include that shows it.
using FolderGraph = std::map<fs::path, std::map<fs::path, std::string>>;
FolderGraph folder_graph() {
  FolderGraph graph;
  for (const char* name : kLibraries) {
    for (const Include& include : includes_of(library() / name)) {
      const fs::path from = name_of(include.file).parent_path(), to = fs::path(include.path).parent_path();
      if (!is_heed(include.path) || from == to) continue;
      graph[from].emplace(to, include.file.string() + ":" + std::to_string(include.line) + " includes " + include.path);
    }
  }
  return graph;
}

/// The includes of a circle that leads back to a folder of `path`, or "".
std::string find_circle(const FolderGraph& graph, const fs::path& folder, std::vector<fs::path>& path,
                        std::set<fs::path>& finished) {
  if (finished.contains(folder) || !graph.contains(folder)) return "";
  path.push_back(folder);
  for (const auto& [next, shown] : graph.at(folder)) {
    if (const auto begin = std::ranges::find(path, next); begin != path.end()) return shown;
    if (const std::string circle = find_circle(graph, next, path, finished); !circle.empty()) {
      return shown + "\n" + circle;
    }
  }
  path.pop_back();
  finished.insert(folder);
  return "";
}

TEST(Layering, FoldersNeverIncludeEachOtherInACircle) {
  const FolderGraph graph = folder_graph();
  ASSERT_GT(graph.size(), 20U);
  std::set<fs::path> finished;
  for (const auto& [folder, includes] : graph) {
    std::vector<fs::path> path;
    EXPECT_EQ(find_circle(graph, folder, path, finished), "");
  }
}

TEST(Layering, ACircleIsFound) {
  const FolderGraph graph{
      {"a", {{"b", "a includes b"}}}, {"b", {{"c", "b includes c"}}}, {"c", {{"a", "c includes a"}}}};
  std::vector<fs::path> path;
  std::set<fs::path> finished;
  EXPECT_EQ(find_circle(graph, "a", path, finished), "a includes b\nb includes c\nc includes a");
}

TEST(Layering, OnlyTheCommandLineSeesTheTomlLibrary) {
  for (const Include& include : includes_of(library())) {
    if (include.path.starts_with("toml++/")) {
      EXPECT_EQ(module_of(name_of(include.file)), "heed/command_line") << include.file << ":" << include.line;
    }
  }
}

TEST(Layering, EveryTestIsBuilt) {
  const fs::path tests = root() / "tests";
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
