#include "end_to_end/programs.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace heed::end_to_end {
namespace {

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

void redirect(const std::string& path, int flags, int descriptor) {
  const int opened = open(path.c_str(), flags, 0644);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

}  // namespace

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Folder::Folder() {
  std::string name = fs::temp_directory_path() / "heed-test-XXXXXX";
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Folder::file(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return path_ / name;
}

std::string Folder::read(const std::string& name) const { return content_of(path_ / name); }

std::string heed_path() { return fs::path(std::getenv("HEED_BINARY_DIR")) / "bin" / "heed"; }

Program::Program(const std::vector<std::string>& arguments, const std::string& input, const std::string& output,
                 const Surroundings& surroundings)
    : output_is_ours_(output.empty()), output_(output.empty() ? folder_.path("output") : output) {
  folder_.file("input", input);
  std::vector<std::string> words{heed_path()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot fork");
  if (process_ > 0) return;
  redirect(folder_.path("input"), O_RDONLY, 0);
  redirect(output_, O_WRONLY | O_CREAT, 1);
  redirect(folder_.path("errors"), O_WRONLY | O_CREAT, 2);
  for (const auto& [name, value] : surroundings.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!surroundings.folder.empty() && chdir(surroundings.folder.c_str()) != 0) _exit(126);
  execv(pointers[0], pointers.data());
  _exit(127);
}

void Program::signal(int number) const { kill(process_, number); }

bool Program::running() {
  if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) == process_;
  return !ended_;
}

std::string Program::errors_so_far() const { return content_of(folder_.path("errors")); }

Result Program::wait() {
  if (!ended_ && waitpid(process_, &status_, 0) != process_) throw std::runtime_error("the program got lost");
  ended_ = true;
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {.code = code, .output = output_is_ours_ ? content_of(output_) : "", .errors = errors_so_far()};
}

Result heed(const std::vector<std::string>& arguments, const std::string& input, const Surroundings& surroundings) {
  return Program(arguments, input, "", surroundings).wait();
}

void expect_error(const Result& result, int code, const std::string& message) {
  EXPECT_EQ(result.code, code);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, "heed: " + message + "\n");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

}  // namespace heed::end_to_end
