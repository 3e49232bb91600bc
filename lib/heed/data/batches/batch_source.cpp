#include "heed/data/batches/batch_source.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/data/batches/batch_builder.h"
#include "heed/data/batches/batching.h"
#include "heed/data/batches/continuous_text.h"

namespace heed::data {
namespace {

class PairSource : public BatchSource {
 public:
  PairSource(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers, const SentenceContext& context,
             int64_t micro_batches, const MicroBatchShare& share, uint64_t seed)
      : planner_(corpus, context, seed),
        maker_(std::move(tokenizers), micro_batches, share, seed, Augmentation(context.augment)),
        steps_per_epoch_(static_cast<double>(batch_tokens(*corpus)) / static_cast<double>(context.step_tokens)) {}

  std::optional<PlannedBatch> next() override { return planner_.next(); }
  StepBatch make(const PlannedBatch& planned) const override { return maker_.make(planned); }
  void seek(const StreamPosition& position) override { planner_.seek(position); }
  void seek_about(const StreamPosition& position, double share) override { planner_.seek_share(position.epoch, share); }
  const StreamPosition& position() const override { return planner_.position(); }
  double progress() const override { return planner_.progress(); }
  double steps_per_epoch() const override { return steps_per_epoch_; }

 private:
  BatchPlanner planner_;
  BatchBuilder maker_;
  double steps_per_epoch_;
};

class TextSource : public BatchSource {
 public:
  TextSource(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context, int64_t micro_batches)
      : corpus_(corpus), columns_(std::move(corpus), context), micro_batches_(micro_batches) {}

  std::optional<PlannedBatch> next() override {
    PlannedBatch planned{.pairs = corpus_,
                         .plan = nullptr,
                         .window = Window{},
                         .position = position_,
                         .next = StreamPosition{},
                         .progress_after = 0,
                         .steps_per_epoch = steps_per_epoch()};
    if (++position_.step == columns_.windows()) position_ = {.epoch = position_.epoch + 1};
    planned.next = position_;
    planned.progress_after = progress();
    return planned;
  }
  StepBatch make(const PlannedBatch& planned) const override {
    StepBatch step{.micro_batches = columns_.window(planned.position.step, micro_batches_)};
    for (const MicroBatch& micro_batch : step.micro_batches) step.target_tokens += micro_batch.target_tokens;
    return step;
  }
  void seek(const StreamPosition& position) override {
    const bool there =
        position.epoch >= 0 && position.window == 0 && position.step >= 0 && position.step < columns_.windows();
    if (!there) {
      throw Error(fmt::format("cannot resume at epoch {}, window {}, step {} of the training text: it has {} steps",
                              position.epoch, position.window, position.step, columns_.windows()));
    }
    position_ = position;
  }
  void seek_about(const StreamPosition& position, double share) override {
    const auto step = static_cast<int64_t>(std::ceil(share * steps_per_epoch()));
    position_ = step < columns_.windows() ? StreamPosition{.epoch = position.epoch, .step = step}
                                          : StreamPosition{.epoch = position.epoch + 1};
  }
  const StreamPosition& position() const override { return position_; }
  double progress() const override { return static_cast<double>(position_.step) / steps_per_epoch(); }
  double steps_per_epoch() const override { return static_cast<double>(columns_.windows()); }

 private:
  std::shared_ptr<const EncodedCorpus> corpus_;
  ContinuousText columns_;
  int64_t micro_batches_;
  StreamPosition position_;
};

}  // namespace

std::unique_ptr<BatchSource> make_batch_source(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers,
                                               const StreamOptions& options, const MicroBatchShare& share,
                                               uint64_t seed) {
  check(options.micro_batches > 0, "stream options out of range");
  if (const auto* text = std::get_if<TextContext>(&options.context)) {
    check(share.of == 1, "a continuous text is not shared");
    return std::make_unique<TextSource>(std::move(corpus), *text, options.micro_batches);
  }
  return std::make_unique<PairSource>(std::move(corpus), std::move(tokenizers),
                                      std::get<SentenceContext>(options.context), options.micro_batches, share, seed);
}

}  // namespace heed::data
