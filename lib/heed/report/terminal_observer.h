// Prints training to the terminal: one line per report, a few lines per validation.
#pragma once

#include <ostream>
#include <string>
#include <utility>

#include "heed/core/wall_clock.h"
#include "heed/report/observer.h"

namespace heed::report {

class TerminalObserver : public training::Observer {
 public:
  /// Writes to `out`, which must outlive the observer, and flushes after each line. With a clock, a report begins with
  /// the time of day, and with the date if it has changed since the last report.
  ///
  /// The reader of `out` may have exited (`heed train ... | head`). Events throw FileError if `out` cannot be written,
  /// but only the first of several consecutive failures throws. Each event tries again.
  explicit TerminalObserver(std::ostream& out, WallClock clock = {}) : out_(out), clock_(std::move(clock)) {}

  void on_start(const training::StartReport& report) override;
  void on_change(const training::OptionChange& change, const Progress& progress) override;
  void on_training(const training::TrainingReport& report) override;
  void on_progress(const training::TrainingReport& report) override;
  void on_forecast(const std::string& forecast) override;
  void on_validating(const training::ValidatingReport& report) override;
  void on_validation(const training::ValidationReport& report) override;
  void on_finish(const training::FinalReport& report) override;
  void on_warning(const std::string& message) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  void write(const std::string& text);
  void line(const std::string& text);
  /// A line that continues the previous one.
  void more(const std::string& text);
  std::string now();

  std::ostream& out_;
  WallClock clock_;
  std::string search_note_;            // how validation searches, printed with the first validation
  std::string date_;                   // of the last line
  text::Target target_ = text::Ids{};  // see StartReport
  bool failing_ = false;               // since the last line
};

/// "7.39"; "1.235e+06" from a million, because the perplexity of an untrained model has no upper limit.
std::string format_perplexity(double perplexity);

}  // namespace heed::report
