// Runs the built programs as a user does.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace heed::end_to_end {

/// A command line, or a part of one.
using Words = std::vector<std::string>;
/// One behind the other.
Words operator+(Words words, const Words& more);

struct Result {
  int code = -1;  ///< the exit code; 128 + the signal that ended the program
  std::string output;
  std::string errors;
};

/// A fresh folder for a test, removed at its end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name) const { return path_ / name; }
  /// Writes a file and gives its path.
  std::string file(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

/// Where a program runs, if not as the test itself does.
struct Surroundings {
  std::string folder = {};
  std::map<std::string, std::string> environment = {};  ///< besides the test's own
};

/// A running `heed ARGUMENTS...`.
class Program {
 public:
  /// `input` is its standard input. `output` names a file or device for its standard
  /// output, which the result does not have then.
  explicit Program(const std::vector<std::string>& arguments, const std::string& input = "",
                   const std::string& output = "", const Surroundings& surroundings = {});
  void signal(int number) const;
  /// Whether it is still running.
  bool running();
  std::string errors_so_far() const;
  Result wait();

 private:
  Folder folder_;
  bool output_is_ours_;  // else it may be an endless device
  std::string output_;
  pid_t process_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Runs `heed ARGUMENTS...` to its end.
Result heed(const std::vector<std::string>& arguments, const std::string& input = "",
            const Surroundings& surroundings = {});
/// Fails unless the program said `heed: MESSAGE` in one line, gave this exit code and wrote nothing else.
void expect_error(const Result& result, int code, const std::string& message);
/// The path of the built `heed`.
std::string heed_path();
/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace heed::end_to_end
