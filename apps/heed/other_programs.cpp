#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include "commands.h"
#include "heed/core/error.h"

namespace heed::apps {
namespace {

namespace fs = std::filesystem;

/// The path of a program of heed; empty if it is not found.
std::string path_of(const char* program) {
  std::error_code none;
  const fs::path self = fs::read_symlink("/proc/self/exe", none);
  if (const fs::path beside = self.parent_path() / program; !none && access(beside.c_str(), X_OK) == 0) return beside;
  const char* search = std::getenv("PATH");
  std::string_view rest = search ? search : "";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

[[noreturn]] void run_in(const char* program, std::string_view command, CommandArguments arguments) {
  const std::string path = path_of(program);
  if (path.empty()) {
    throw Error("`" + std::string(command) + "` needs the program `" + program +
                "`, which is neither next to `heed` nor on the PATH");
  }
  std::vector<std::string> words{program, std::string(command)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(path.c_str(), pointers.data());
  throw FileError(path, "run", errno);
}

/// Threads of LibTorch (GNU's OpenMP) that wait for work spin for several milliseconds by default, and meanwhile take
/// the core from other processes and from heed's own threads. With this count it is a fraction of a millisecond. OpenMP
/// reads the variable when the program starts.
void let_waiting_threads_sleep() {
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
}

}  // namespace

void run_with_torch(std::string_view command, CommandArguments arguments) {
  let_waiting_threads_sleep();
  run_in("heed-torch", command, arguments);
}

void run_server_program(std::string_view command, CommandArguments arguments) {
  run_in("heed-serve", command, arguments);
}

}  // namespace heed::apps
