// The progress of a command, on the last line of a terminal: "heed: 1,200 of 5,000 lines, 380 lines/s, 10 s to go".
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed::apps {

/// "10 s to go", if `share` of all, in (0, 1], took `seconds`. Empty if the share is unknown (0) or it is too early.
std::string time_to_go(double share, double seconds);

/// "1,200 of 5,000 lines, 380 lines/s, 10 s to go". total: absent if unknown. things: in the plural.
std::string progress_text(std::string_view things, int64_t done, std::optional<int64_t> total, double seconds);

/// Writes only if standard error is a terminal and results do not go to a terminal. In a file nobody would read it, and
/// between results it would disturb.
class Progress {
 public:
  /// output: the file for results, "-" for standard output.
  explicit Progress(std::string_view output);
  /// Ends the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Replaces the line by the result of text(), at most five times a second.
  template <class Text>
  void show(const Text& text) {
    if (due()) write(text());
  }
  void lines(std::string_view things, int64_t done, std::optional<int64_t> total) {
    show([&] { return progress_text(things, done, total, seconds()); });
  }
  double seconds() const;  ///< since the start
  /// Ends the line, so that a message can follow. Later progress starts a new line.
  void end_line();

 private:
  bool due();
  void write(const std::string& text);

  bool terminal_;
  bool written_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), last_ = begin_;
};

}  // namespace heed::apps
