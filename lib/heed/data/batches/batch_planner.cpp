#include "heed/data/batches/batch_planner.h"

#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"

namespace heed::data {

BatchPlanner::BatchPlanner(std::shared_ptr<const EncodedCorpus> corpus, const SentenceContext& options, uint64_t seed)
    : corpus_(std::move(corpus)),
      options_(options),
      mixture_(*corpus_, options.mix),
      curriculum_(*corpus_, options.curriculum_epochs),
      seed_(seed) {
  check(options_.step_tokens > 0 && options_.shuffle_window > 0, "stream options out of range");
  enter_from(0, 0);
}

void BatchPlanner::enter_from(int64_t epoch, int64_t window) {
  constexpr int64_t kPatience = 1000;  // windows; mixing keeps the number of pairs per epoch, so one of these has a
                                       // pair
  for (int64_t tried = 0; tried < kPatience; ++tried) {
    enter(epoch, window);
    if (plan_->steps() > 0) return;
    if (++window == std::ssize(windows_)) {
      window = 0;
      ++epoch;
    }
  }
  throw Error("data.corpus-weights leaves no pair to train on");
}

void BatchPlanner::enter(int64_t epoch, int64_t window) {
  plan_.reset();  // before the next plan is made: two at once would take twice the memory
  windows_ = epoch_windows(corpus_->buckets(), options_.shuffle_window, seed_, epoch);
  check(window < static_cast<int64_t>(windows_.size()), "a window that the epoch does not have");
  const Window& entered = windows_[static_cast<size_t>(window)];
  pairs_before_ = 0;
  for (int64_t i = 0; i < window; ++i) pairs_before_ += static_cast<double>(windows_[static_cast<size_t>(i)].size);
  const double done = static_cast<double>(epoch) + progress();
  const int64_t longest = curriculum_.longest(done);
  const auto copies = [&](int64_t pair) {
    return Curriculum::length(*corpus_, pair) > longest ? 0 : mixture_.copies(*corpus_, pair, seed_, epoch);
  };
  plan_ =
      std::make_shared<const WindowPlan>(*corpus_, copies, entered, grown_step_tokens(options_, done), seed_, epoch);
  position_ = {.epoch = epoch, .window = window, .step = 0};
}

PlannedBatch BatchPlanner::next() {
  PlannedBatch planned{.pairs = corpus_,
                       .plan = plan_,
                       .window = windows_[static_cast<size_t>(position_.window)],
                       .position = position_,
                       .next = {},
                       .progress_after = 0,
                       .steps_per_epoch = 0};
  planned.steps_per_epoch = static_cast<double>(plan_->steps()) * static_cast<double>(corpus_->size()) /
                            static_cast<double>(planned.window.size);
  pass();
  planned.next = position_;
  planned.progress_after = progress();
  return planned;
}

void BatchPlanner::pass() {
  pairs_before_ += share_of(position_.step);
  advance();
}

/// The share of a step in its window, in pairs of the corpus.
double BatchPlanner::share_of(int64_t step) const {
  const auto pairs = static_cast<double>(plan_->pairs(step).size());
  const auto size = static_cast<double>(windows_[static_cast<size_t>(position_.window)].size);
  return pairs * size / static_cast<double>(plan_->size());
}

void BatchPlanner::advance() {
  if (++position_.step < plan_->steps()) return;
  if (position_.window + 1 < static_cast<int64_t>(windows_.size())) {
    enter_from(position_.epoch, position_.window + 1);
  } else {
    enter_from(position_.epoch + 1, 0);
  }
}

void BatchPlanner::seek(const StreamPosition& position) {
  const int64_t windows = std::ssize(windows_);  // every epoch has this many
  const auto refuse = [&position](const std::string& reason) {
    throw Error(fmt::format("cannot resume at epoch {}, window {}, step {} of the training data: {}", position.epoch,
                            position.window, position.step, reason));
  };
  if (position.epoch < 0 || position.window < 0 || position.step < 0) refuse("a negative position");
  if (position.window >= windows) refuse(fmt::format("an epoch has {} windows", windows));
  enter(position.epoch, position.window);
  if (position.step >= plan_->steps()) refuse(fmt::format("the window has {} steps", plan_->steps()));
  for (int64_t step = 0; step < position.step; ++step) {
    pairs_before_ += share_of(step);
  }
  position_.step = position.step;
}

void BatchPlanner::seek_share(int64_t epoch, double share) {
  const double wanted = std::ceil(share * static_cast<double>(corpus_->size()));
  const std::vector<Window> windows = epoch_windows(corpus_->buckets(), options_.shuffle_window, seed_, epoch);
  int64_t window = 0;
  double before = 0;
  const auto size_of = [&](int64_t i) { return static_cast<double>(windows[static_cast<size_t>(i)].size); };
  while (window + 1 < std::ssize(windows) && before + size_of(window) <= wanted) before += size_of(window++);
  enter_from(epoch, window);
  while (position_.epoch == epoch && pairs_before_ < wanted) pass();
}

double BatchPlanner::progress() const { return pairs_before_ / static_cast<double>(corpus_->size()); }

}  // namespace heed::data
