#include "dry_run.h"

#include <sys/resource.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "doctor/report_line.h"
#include "heed/core/amount.h"
#include "heed/core/error.h"
#include "heed/core/files/temporary_name.h"
#include "heed/core/machine.h"
#include "heed/core/text/counted.h"
#include "heed/data/batches/batch_source.h"
#include "heed/data/batches/batching.h"
#include "heed/data/training_text.h"
#include "heed/report/observer.h"
#include "heed_torch/config/setup/training_run.h"
#include "heed_torch/training/limits.h"
#include "heed_torch/training/stopping.h"
#include "next_steps.h"
#include "stop_signals.h"

namespace heed::apps {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSteps = 8;
/// The first steps are not counted: they take longer, with the longest sentences and memory to fetch.
constexpr size_t kUncounted = 3;

/// A directory next to the model's, so that it is on the same disk. Removes it, and folders above it that did not
/// exist, also if a signal ends the program. Removes what killed dry runs left.
class TemporaryModel {
 public:
  explicit TemporaryModel(const std::string& model) {
    fs::path name = fs::absolute(model).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    const fs::path parent = name.parent_path();
    for (fs::path folder = parent; !fs::exists(folder); folder = folder.parent_path()) made_.push_back(folder);
    before_ending([this] { remove(); });
    std::error_code refused;
    fs::create_directories(parent, refused);
    remove_abandoned_of(name);
    std::string hidden;
    lock_ = refused ? -1 : create_temporary_directory(name, hidden);
    if (lock_ < 0) {
      const int reason = refused ? refused.value() : errno;
      end();
      throw FileError(model, "make", reason);
    }
    path_ = hidden;
  }
  ~TemporaryModel() { end(); }
  TemporaryModel(const TemporaryModel&) = delete;
  TemporaryModel& operator=(const TemporaryModel&) = delete;

  std::string path() const { return path_.string(); }
  /// Bytes of the files whose names begin so.
  uint64_t bytes(const std::string& begin) const {
    uint64_t sum = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
      const std::string name = entry.path().lexically_relative(path_).string();
      if (entry.is_regular_file() && name.starts_with(begin)) sum += entry.file_size();
    }
    return sum;
  }
  uint64_t free_bytes() const { return fs::space(path_).available; }

 private:
  /// A signal may end the program while it writes there: then once is not enough.
  void remove() const {
    std::error_code ignored;
    for (int i = 0; i < 3 && !path_.empty() && fs::exists(path_, ignored); ++i) fs::remove_all(path_, ignored);
    for (const fs::path& folder : made_) fs::remove(folder, ignored);  // only if it is empty
  }
  void end() const {
    before_ending({});
    remove();
    if (lock_ >= 0) close(lock_);
  }

  fs::path path_;
  std::vector<fs::path> made_;  // innermost first
  int lock_ = -1;               // on the directory: it is in use
};

/// The longest pairs of a corpus that fit into a training step, as its micro-batches.
data::StepBatch longest_batch(const data::EncodedCorpus& corpus, int64_t tokens, size_t parts) {
  using Line = std::pair<int64_t, int64_t>;  // its length and its number
  std::priority_queue<Line, std::vector<Line>, std::greater<>> longest;
  for (int64_t line = 0; line < corpus.size(); ++line) {
    const int64_t length = corpus.source_length(line) + corpus.target_length(line);
    if (static_cast<int64_t>(longest.size()) == tokens && length <= longest.top().first) continue;
    longest.emplace(length, line);
    if (static_cast<int64_t>(longest.size()) > tokens) longest.pop();
  }
  std::vector<int64_t> lines(longest.size());
  for (size_t i = lines.size(); i > 0; longest.pop()) lines[--i] = longest.top().second;
  std::vector<data::BatchPair> pairs;
  std::vector<int64_t> sizes;
  for (int64_t sum = 0; const int64_t line : lines) {
    const int64_t size = data::batch_tokens(line, corpus);
    if (sum += size; sum > tokens && !pairs.empty()) break;
    pairs.push_back(data::stored_pair(line, corpus));
    sizes.push_back(size);
  }
  data::StepBatch batch;
  std::vector<int64_t> begins = data::cut_evenly(sizes, static_cast<int64_t>(parts));
  begins.push_back(std::ssize(pairs));
  for (size_t part = 0; part + 1 < begins.size(); ++part) {
    const auto begin = static_cast<size_t>(begins[part]), end = static_cast<size_t>(begins[part + 1]);
    const data::MicroBatch& made = batch.micro_batches.emplace_back(
        data::make_batch(std::span<const data::BatchPair>(pairs).subspan(begin, end - begin), corpus));
    batch.source_tokens += made.source_tokens;
    batch.target_tokens += made.target_tokens;
  }
  return batch;
}

/// The batches of another source, but one of the first has the longest pairs.
class LongestFirst : public data::BatchSource {
 public:
  LongestFirst(std::unique_ptr<data::BatchSource> source, std::shared_ptr<const data::EncodedCorpus> corpus,
               int64_t tokens)
      : source_(std::move(source)), corpus_(std::move(corpus)), tokens_(tokens) {}

  std::optional<data::PlannedBatch> next() override { return source_->next(); }
  void give_up() override { source_->give_up(); }
  data::StepBatch make(const data::PlannedBatch& planned) const override {
    data::StepBatch usual = source_->make(planned);
    return made_.exchange(true) ? usual : longest_batch(*corpus_, tokens_, usual.micro_batches.size());
  }
  void seek(const data::StreamPosition& position) override { source_->seek(position); }
  void seek_about(const data::StreamPosition& position, double share) override { source_->seek_about(position, share); }
  const data::StreamPosition& position() const override { return source_->position(); }
  double progress() const override { return source_->progress(); }
  double steps_per_epoch() const override { return source_->steps_per_epoch(); }

 private:
  std::unique_ptr<data::BatchSource> source_;
  std::shared_ptr<const data::EncodedCorpus> corpus_;
  int64_t tokens_;
  mutable std::atomic<bool> made_ = false;
};

class TextWithLongestFirst : public data::TrainingText {
 public:
  TextWithLongestFirst(std::shared_ptr<const data::TrainingText> text,
                       std::shared_ptr<const data::EncodedCorpus> corpus)
      : text_(std::move(text)), corpus_(std::move(corpus)) {}
  data::CorpusForm form() const override { return text_->form(); }
  std::optional<int64_t> pairs() const override { return text_->pairs(); }
  std::optional<data::OverlapCounts> overlap() const override { return text_->overlap(); }
  std::unique_ptr<data::BatchSource> batches(text::Tokenizers tokenizers, const data::StreamOptions& options,
                                             const data::MicroBatchShare& share, uint64_t seed) const override {
    auto source = text_->batches(std::move(tokenizers), options, share, seed);
    const auto* sentences = std::get_if<data::SentenceContext>(&options.context);
    if (!sentences) return source;
    return std::make_unique<LongestFirst>(std::move(source), corpus_, sentences->step_tokens);
  }
  void tell(const data::StreamPosition& position) const override { text_->tell(position); }

 private:
  std::shared_ptr<const data::TrainingText> text_;
  std::shared_ptr<const data::EncodedCorpus> corpus_;
};

/// The moments before the first and after the last counted step of a trial.
struct MeasuredSteps {
  training::TrainingMoment first, last;
};

/// Collects what is to be reported, and stops the training after its first checkpoint with training steps.
class Trial : public training::Observer {
 public:
  explicit Trial(training::StopRequest& stop) : stop_(stop) {}

  training::StartReport start;
  std::vector<training::TrainingMoment> moments;  // after each step
  double validation_seconds = 0;

  void on_start(const training::StartReport& report) override { start = report; }
  void on_training(const training::TrainingReport& report) override {
    moments.push_back({.progress = report.progress, .seconds = report.elapsed_seconds});
  }
  void on_validation(const training::ValidationReport& report) override { validation_seconds = report.seconds; }
  void on_checkpoint(const std::string&, const Progress& progress) override {
    if (progress.steps >= kSteps) stop_.request();
  }

 private:
  training::StopRequest& stop_;
};

std::string megabytes(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.1f} MB", 1e-6 * bytes) : fmt::format("{:.1f} GB", 1e-9 * bytes);
}

/// The most memory that the process has had, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// The trial's steps all have R-Drop. asked: the options of the training, whose first steps may have none.
MeasuredSteps measured_steps(const std::vector<training::TrainingMoment>& moments,
                             const training::TrainOptions& asked) {
  if (moments.size() < 2) {
    throw Error("the dry run made fewer than two training steps: it was stopped, or a limit ended it");
  }
  MeasuredSteps steps{.first = moments[std::min(kUncounted, moments.size() - 1) - 1], .last = moments.back()};
  if (asked.r_drop > 0 && asked.r_drop_start.value > 0) {
    steps.last.seconds -= (steps.last.seconds - steps.first.seconds) * (1 - 1 / training::kRDropCost);
  }
  return steps;
}

/// Seconds that an amount of training takes, without validations.
double seconds_of(const Amount& amount, const MeasuredSteps& measured) {
  const double done = measured.last.progress.in(amount.unit) - measured.first.progress.in(amount.unit);
  return amount.value * (measured.last.seconds - measured.first.seconds) / done;
}

std::string report(const Trial& trial, const config::RunOptions& options, const config::PreparedRun& run,
                   const TemporaryModel& model, double memory) {
  const MeasuredSteps measured = measured_steps(trial.moments, options.train);
  const double seconds = measured.last.seconds - measured.first.seconds;
  const double steps = measured.last.progress.steps - measured.first.progress.steps;
  const double tokens = measured.last.progress.tokens - measured.first.progress.tokens;
  std::string text = report_line("parameters", format_count(trial.start.parameters) + " are trained");
  if (trial.start.pairs) text += report_line("text", format_count(*trial.start.pairs) + " pairs or lines are kept");
  text += report_line("batch", fmt::format("{} target tokens on average{}", format_count(std::llround(tokens / steps)),
                                           run.corpus ? "; the longest sentences have been tried" : ""));
  text += report_line("memory", fmt::format("{} at most so far, of {}", megabytes(memory),
                                            megabytes(static_cast<double>(machine_memory()))));
  text += report_line("disk",
                      fmt::format("{} for each checkpoint, {} for the encoded text; {} are free",
                                  megabytes(static_cast<double>(model.bytes(fmt::format("checkpoints/{:07}", kSteps)))),
                                  megabytes(static_cast<double>(model.bytes("train.corpus"))),
                                  megabytes(static_cast<double>(model.free_bytes()))));
  text +=
      report_line("speed", fmt::format("{} target tokens/s, {:.2f} s a step ({} of {} steps)",
                                       format_count(std::llround(tokens / seconds)), seconds / steps, steps, kSteps));
  const auto milestone = [&](const std::string& name, const Amount& amount) {
    text += report_line(name, fmt::format("after {}", format_duration(seconds_of(amount, measured))));
  };
  if (run.corpus) milestone("an epoch", {.value = 1, .unit = AmountUnit::Epochs});
  milestone(run.validation ? "validations" : "checkpoints", options.valid.every);
  if (run.validation) text += report_line("", fmt::format("each takes {}", format_duration(trial.validation_seconds)));
  if (const auto made = training::forecast(options.train, measured.first, measured.last)) {
    const auto limit = training::first_limit(options.train, measured.first, measured.last);
    text += report_line("the end", fmt::format("after {} and the validations, unless early stopping ends it sooner",
                                               format_duration(limit->seconds)));
    text += report_line("", training::forecast_text(*made));
  }
  if (const std::string exports = possible_exports(options, run.tokenizers); !exports.empty()) {
    text += report_line("export", exports);
  }
  return text;
}

}  // namespace

std::string dry_run(config::RunOptions options) {
  const config::RunOptions asked = options;
  const TemporaryModel model(options.model);
  options.model = model.path();
  options.log.every = {.value = 1};
  options.valid.every = {.value = kSteps};
  options.train.save_every.reset();
  options.log.tensorboard.clear();
  options.train.r_drop_start = {};  // its steps take the most time and memory
  config::PreparedRun run = config::prepare_run(options);
  if (run.corpus) run.text = std::make_shared<TextWithLongestFirst>(run.text, run.corpus);
  training::StopRequest& stop = stop_request_for_training();
  Trial trial(stop);
  const bool finished = config::run_training(run, options, {&trial}, stop).finished;
  if (!finished && std::ssize(trial.moments) < kSteps) throw Error("the dry run was interrupted");
  return report(trial, asked, run, model, peak_memory());
}

}  // namespace heed::apps
