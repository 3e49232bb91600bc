#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "commands.h"
#include "heed/core/error.h"

namespace heed::apps {
namespace {

namespace fs = std::filesystem;
constexpr const char* kProgram = "heed-torch";

/// The program's path; empty if it is not found.
std::string find_program() {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  if (const fs::path beside = self.parent_path() / kProgram; !none && access(beside.c_str(), X_OK) == 0) return beside;
  const char* search = std::getenv("PATH");
  std::string_view rest = search ? search : "";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / kProgram;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

}  // namespace

void run_with_torch(std::string_view command, CommandArguments arguments) {
  const std::string program = find_program();
  if (program.empty()) {
    throw Error("`" + std::string(command) +
                "` needs the program `heed-torch`, which is neither beside `heed` nor on the PATH");
  }
  std::vector<std::string> words{kProgram, std::string(command)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  throw FileError(program, "run", errno);
}

}  // namespace heed::apps
