#include "options/watched_training.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/log.h"
#include "heed_torch/config/run_settings.h"
#include "heed_torch/config/setup/run_rules.h"
#include "heed_torch/config/setup/source_vectors.h"
#include "heed_torch/config/setup/training_run.h"
#include "options/without.h"

namespace heed::options_test {
namespace {

namespace fs = std::filesystem;

/// Writes down what it is told, but for seconds and speeds.
class Listener : public training::Observer {
 public:
  explicit Listener(Left& left) : left_(left) {}

  void on_start(const training::StartReport& report) override {
    left_["start"] = fmt::format(
        "{} parameters, {} pairs, {} valid, {} translated, beam {} and {}, {}, {} threads, "
        "{} replicas, {}, {}",
        report.parameters, report.pairs.value_or(-1), report.valid_pairs, report.valid_translated, report.valid_beam,
        report.translation_search, report.device, report.threads, report.replicas, report.products,
        report.language_model);
  }
  void on_change(const training::OptionChange& change, const Progress&) override {
    left_["changes"] += fmt::format("{} {} {}\n", change.option, change.before, change.now);
  }
  void on_training(const training::TrainingReport& report) override {
    left_["reports"] +=
        fmt::format("{} {} {}: {} {} {} {} {}\n", report.progress.steps, report.progress.tokens, report.progress.epochs,
                    report.objective, report.loss, report.learning_rate, report.gradient_norm, report.skipped_steps);
  }
  void on_validation(const training::ValidationReport& report) override {
    std::string& text = left_["validation"];
    text += fmt::format("{} {} {} {} best {} since {} of {}\n", report.progress.steps, report.scores, report.signature,
                        report.chrf_signature, report.best, report.since_best, report.patience);
    for (const auto& sample : report.samples) text += sample.source + '\t' + sample.hypothesis + '\n';
    left_["metric"] = report.stopping_metric;
  }
  void on_finish(const training::FinalReport& report) override {
    left_["final"] += fmt::format("{} by {}:", report.chosen, report.metric);
    for (const training::Candidate& candidate : report.candidates) {
      left_["final"] += fmt::format(" {} of {}", candidate.name, candidate.steps);
    }
  }
  void on_stop(const std::string& reason, const Progress& progress) override {
    left_["final"] += fmt::format("{} updates: {}; ", progress.steps, reason);
  }

 private:
  Left& left_;
};

std::vector<std::string> checkpoints_in(const std::string& model) {
  std::vector<std::string> names;
  if (!fs::exists(model + "/checkpoints")) return names;
  for (const auto& entry : fs::directory_iterator(model + "/checkpoints")) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

/// What the files of the model directory say.
void read_files(const std::string& model, Left& left) {
  const std::vector<std::string> checkpoints = checkpoints_in(model);
  left["checkpoints"] = fmt::format("{}", fmt::join(checkpoints, " "));
  if (!checkpoints.empty()) {
    left["parameters"] = read_file(fmt::format("{}/checkpoints/{}/model.safetensors", model, checkpoints.back()));
  }
  for (const auto& entry : fs::directory_iterator(model)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("source.") || name.starts_with("target."))
      left["tokenizers"] += name + read_file(entry.path());
  }
}

}  // namespace

Left train(const Settings& settings, const std::string& model) {
  Left left;
  set_log_sink([&](LogLevel, std::string_view message) { left["log"] += without(std::string(message), model) + '\n'; });
  try {
    config::RunOptions options = config::read_run_options({}, as_layer(settings));
    options.model = model;
    config::adopt_vector_form(options);
    config::validate(options);
    config::PreparedRun run = config::prepare_run(options);
    Listener listener(left);
    config::run_training(run, options, {&listener}, training::StopRequest());
    read_files(model, left);
  } catch (const Error& error) {
    left = {{"error", without(error.what(), model)}};
  }
  set_log_sink({});
  return left;
}

const Left& Trainings::of(const Settings& settings) {
  const auto [place, is_new] = known_.try_emplace(settings);
  if (is_new) {
    const std::string model = folder_.file("model");
    place->second = train(settings, model);
    fs::remove_all(model);
  }
  return place->second;
}

}  // namespace heed::options_test
