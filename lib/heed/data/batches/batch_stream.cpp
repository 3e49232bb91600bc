#include "heed/data/batches/batch_stream.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/data/batches/batch_source.h"

namespace heed::data {
namespace {

struct Slot {
  PlannedBatch planned;
  StepBatch step;
  std::exception_ptr error;
  bool ready = false;
};

}  // namespace

/// Threads take turns in planning. Planned steps are queued in the stream's order, and are made in any order.
class BatchStream::Worker {
 public:
  Worker(std::unique_ptr<BatchSource> source, const StreamOptions& options)
      : options_(options), source_(std::move(source)) {
    check(options.prefetch > 0 && options.prefetch_threads > 0, "stream options out of range");
    steps_per_epoch_ = source_->steps_per_epoch();
    position_ = source_->position();
  }
  ~Worker() { stop(); }

  Waited wait(const std::function<bool()>& gives_up) {
    constexpr std::chrono::milliseconds kPause(50);
    start();
    std::unique_lock lock(mutex_);
    const auto begin = std::chrono::steady_clock::now();
    bool there = false;
    while (!gives_up() && !there) there = changed_.wait_for(lock, kPause, [this] { return has_something(); });
    waiting_ += std::chrono::steady_clock::now() - begin;
    if (!there) return Waited::Nothing;
    if (!queue_.empty()) return Waited::Batch;
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    position_ = source_->position();
    return Waited::End;
  }

  StepBatch next() {
    check(wait([] { return false; }) == Waited::Batch, "a batch after the end of the text");
    const std::lock_guard lock(mutex_);
    return take();
  }

  /// `seek` is called with the source.
  template <class Seek>
  void seek(const Seek& seek) {
    stop();
    queue_.clear();
    try {
      seek(*source_);
    } catch (...) {
      failure_ = std::current_exception();  // next() rethrows it; no thread works any more
      throw;
    }
    failure_ = nullptr;
    ended_ = false;
    position_ = source_->position();
    progress_ = source_->progress();
  }

  const EncodedPairs& pairs() const { return *pairs_; }

  const StreamPosition& position() const { return position_; }
  double progress() const { return progress_; }
  double steps_per_epoch() const { return steps_per_epoch_; }
  double waiting_seconds() const { return waiting_.count(); }

 private:
  StepBatch take() {
    const std::shared_ptr<Slot> slot = queue_.front();
    if (slot->error) std::rethrow_exception(slot->error);
    queue_.pop_front();
    position_ = slot->planned.next;
    progress_ = slot->planned.progress_after;
    pairs_ = slot->planned.pairs;
    steps_per_epoch_ = slot->planned.steps_per_epoch;
    changed_.notify_all();
    return std::move(slot->step);
  }

  /// Whether next() can return or throw: the next step is ready, or the stream has ended.
  bool has_something() const { return queue_.empty() ? failure_ != nullptr || ended_ : queue_.front()->ready; }

  void start() {
    if (!threads_.empty()) return;
    stopping_ = false;
    for (int64_t i = 0; i < options_.prefetch_threads; ++i) threads_.emplace_back([this] { work(); });
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (!threads_.empty()) source_->give_up();
    threads_.clear();  // joins the threads
  }

  void work() {
    while (const std::shared_ptr<Slot> slot = plan()) {
      try {
        slot->step = source_->make(slot->planned);
      } catch (...) {
        slot->error = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      slot->ready = true;
      changed_.notify_all();
    }
  }

  /// Planning a window takes time. So it has its own lock, and next() can still take steps that are ready.
  std::shared_ptr<Slot> plan() {
    const std::lock_guard planning(planning_);
    {
      std::unique_lock lock(mutex_);
      changed_.wait(
          lock, [this] { return stopping_ || is_over() || static_cast<int64_t>(queue_.size()) < options_.prefetch; });
      if (stopping_ || is_over()) return nullptr;
    }
    std::optional<PlannedBatch> planned;
    std::exception_ptr failure;
    try {
      planned = source_->next();
    } catch (...) {
      failure = std::current_exception();
    }
    const auto slot = planned ? std::make_shared<Slot>() : nullptr;
    if (planned) slot->planned = std::move(*planned);
    const std::lock_guard lock(mutex_);
    failure_ = failure;
    ended_ = slot == nullptr;
    if (slot != nullptr) queue_.push_back(slot);
    changed_.notify_all();
    return slot;
  }

  /// Whether planning has ended.
  bool is_over() const { return failure_ != nullptr || ended_; }

  StreamOptions options_;
  std::mutex planning_;
  std::unique_ptr<BatchSource> source_;  // used for planning and seeking with planning_ locked

  std::mutex mutex_;  // guards queue_, failure_, ended_, stopping_
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Slot>> queue_;
  std::exception_ptr failure_;  // planning failed; steps planned before are still in the queue
  bool ended_ = false;          // everything is planned
  bool stopping_ = false;

  // Used only by the caller's thread.
  StreamPosition position_;
  std::shared_ptr<const EncodedPairs> pairs_;
  double progress_ = 0;
  double steps_per_epoch_ = 0;
  std::chrono::duration<double> waiting_{0};

  std::vector<std::jthread> threads_;  // last member: joined before the others are destroyed
};

BatchStream::BatchStream(std::unique_ptr<BatchSource> source, const StreamOptions& options)
    : worker_(std::make_unique<Worker>(std::move(source), options)) {}
BatchStream::BatchStream(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers,
                         const StreamOptions& options, uint64_t seed, const MicroBatchShare& share)
    : BatchStream(make_batch_source(std::move(corpus), std::move(tokenizers), options, share, seed), options) {}
BatchStream::~BatchStream() = default;

Waited BatchStream::wait(const std::function<bool()>& gives_up) { return worker_->wait(gives_up); }
const EncodedPairs& BatchStream::pairs() const { return worker_->pairs(); }

StepBatch BatchStream::next() { return worker_->next(); }
StreamPosition BatchStream::position() const { return worker_->position(); }
void BatchStream::seek(const StreamPosition& position) {
  worker_->seek([&](BatchSource& source) { source.seek(position); });
}
void BatchStream::seek_about(const StreamPosition& position, double share) {
  worker_->seek([&](BatchSource& source) { source.seek_about(position, share); });
}
double BatchStream::epoch_progress() const { return worker_->progress(); }
double BatchStream::steps_per_epoch() const { return worker_->steps_per_epoch(); }
double BatchStream::waiting_seconds() const { return worker_->waiting_seconds(); }

}  // namespace heed::data
