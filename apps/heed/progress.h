// How far a command is, on the last line of a terminal: "heed: 1,200 of 5,000 lines, 380 lines/s, 10 s to go".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed::apps {

/// "10 s to go" where `share` of all, in (0, 1], took `seconds`; empty where that is not known (0) or too early to say.
std::string time_to_go(double share, double seconds);

/// "1,200 of 5,000 lines, 380 lines/s, 10 s to go"; total: absent where it is not known. things: in the plural.
std::string progress_text(std::string_view things, int64_t done, std::optional<int64_t> total, double seconds);

/// Writes only where standard error is a terminal and results do not go to one: nobody reads it in a file, and in their
/// midst it would be in the way.
class Progress {
 public:
  /// output: the file for the results, "-" for standard output.
  explicit Progress(std::string_view output);
  /// Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Writes what text() gives in place of the line before, five times a second at most.
  template <class Text>
  void show(const Text& text) {
    if (due()) write(text());
  }
  void lines(std::string_view things, int64_t done, std::optional<int64_t> total) {
    show([&] { return progress_text(things, done, total, seconds()); });
  }
  double seconds() const;  ///< since the beginning
  /// Ends the line, so that a message may follow; what is shown later begins another.
  void end_line();

 private:
  bool due();
  void write(const std::string& text);

  bool terminal_;
  bool written_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

}  // namespace heed::apps
