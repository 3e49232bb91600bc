// Combines several observers into one.
#pragma once

#include <string>
#include <vector>

#include "heed/report/observer.h"

namespace heed::training {

/// Calls each observer in turn. An exception of an observer is logged as a warning and does not end the training. The
/// other observers get the warning through on_failed_observer(), so that metrics.jsonl has it even if the log cannot be
/// written.
class ObserverGroup : public Observer {
 public:
  /// The observers must outlive the group.
  explicit ObserverGroup(std::vector<Observer*> observers);

  void on_start(const StartReport& report) override;
  void on_change(const OptionChange& change, const Progress& progress) override;
  void on_training(const TrainingReport& report) override;
  void on_progress(const TrainingReport& report) override;
  void on_forecast(const std::string& forecast) override;
  void on_validating(const ValidatingReport& report) override;
  void on_validation(const ValidationReport& report) override;
  void before_checkpoint(const std::string& path, const Progress& progress) override;
  void on_checkpoint(const std::string& path, const Progress& progress) override;
  void on_finish(const FinalReport& report) override;
  void on_warning(const std::string& message) override;
  void on_stop(const std::string& reason, const Progress& progress) override;

 private:
  template <class Tell>
  void for_each(const Tell& tell) const;
  void report_failure(const Observer& failed, const std::string& message) const;

  std::vector<Observer*> observers_;
};

}  // namespace heed::training
