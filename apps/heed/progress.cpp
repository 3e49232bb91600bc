#include "progress.h"

#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "heed/core/text/counted.h"

namespace heed::apps {
namespace {

constexpr auto kPause = std::chrono::milliseconds(200);
constexpr double kTooEarly = 0.5;  // seconds: before, the speed of the first batches is not representative

}  // namespace

std::string time_to_go(double share, double seconds) {
  if (share <= 0 || share >= 1 || seconds < kTooEarly) return "";
  return format_duration(seconds * (1 - share) / share) + " to go";
}

std::string progress_text(std::string_view things, int64_t done, std::optional<int64_t> total, double seconds) {
  std::string text = format_count(done);
  if (total) text += " of " + format_count(*total);
  text += fmt::format(" {}", things);
  if (seconds > 0) text += fmt::format(", {:.0f} {}/s", static_cast<double>(done) / seconds, things);
  const double share = total && *total > 0 ? static_cast<double>(done) / static_cast<double>(*total) : 0;
  const std::string rest = time_to_go(share, seconds);
  return rest.empty() ? text : text + ", " + rest;
}

Progress::Progress(std::string_view output)
    : terminal_(isatty(STDERR_FILENO) == 1 && !(output == "-" && isatty(STDOUT_FILENO) == 1)) {}

Progress::~Progress() { end_line(); }

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Progress::due() { return terminal_ && std::chrono::steady_clock::now() - last_ >= kPause; }

void Progress::write(const std::string& text) {
  last_ = std::chrono::steady_clock::now();
  written_ = true;
  std::fputs(("\rheed: " + text + "\033[K").c_str(), stderr);  // and clears the rest of the previous line
}

void Progress::end_line() {
  if (written_) std::fputc('\n', stderr);
  written_ = false;
}

}  // namespace heed::apps
