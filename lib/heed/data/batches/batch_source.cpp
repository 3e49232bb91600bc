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
             int64_t parts, const MicroBatchShare& share, uint64_t seed)
      : planner_(corpus, context, seed),
        maker_(std::move(tokenizers), parts, share, seed),
        updates_per_epoch_(static_cast<double>(batch_tokens(*corpus)) / static_cast<double>(context.update_tokens)) {}

  std::optional<PlannedBatch> next() override { return planner_.next(); }
  StepBatch make(const PlannedBatch& planned) const override { return maker_.make(planned); }
  void seek(const StreamPosition& position) override { planner_.seek(position); }
  void seek_about(const StreamPosition& position, double share) override { planner_.seek_share(position.epoch, share); }
  const StreamPosition& position() const override { return planner_.position(); }
  double progress() const override { return planner_.progress(); }
  double updates_per_epoch() const override { return updates_per_epoch_; }

 private:
  BatchPlanner planner_;
  BatchBuilder maker_;
  double updates_per_epoch_;
};

class TextSource : public BatchSource {
 public:
  TextSource(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context, int64_t parts)
      : corpus_(corpus), columns_(std::move(corpus), context), parts_(parts) {}

  std::optional<PlannedBatch> next() override {
    PlannedBatch planned{.pairs = corpus_,
                         .plan = nullptr,
                         .window = Window{},
                         .position = position_,
                         .next = StreamPosition{},
                         .progress_after = 0,
                         .updates_per_epoch = updates_per_epoch()};
    if (++position_.update == columns_.windows()) position_ = {.epoch = position_.epoch + 1};
    planned.next = position_;
    planned.progress_after = progress();
    return planned;
  }
  StepBatch make(const PlannedBatch& planned) const override {
    StepBatch update{.micro_batches = columns_.window(planned.position.update, parts_)};
    for (const MicroBatch& part : update.micro_batches) update.target_tokens += part.target_tokens;
    return update;
  }
  void seek(const StreamPosition& position) override {
    const bool there =
        position.epoch >= 0 && position.window == 0 && position.update >= 0 && position.update < columns_.windows();
    if (!there) {
      throw Error(fmt::format("cannot resume at epoch {}, window {}, step {} of the training text: it has {} steps",
                              position.epoch, position.window, position.update, columns_.windows()));
    }
    position_ = position;
  }
  void seek_about(const StreamPosition& position, double share) override {
    const auto update = static_cast<int64_t>(std::ceil(share * updates_per_epoch()));
    position_ = update < columns_.windows() ? StreamPosition{.epoch = position.epoch, .update = update}
                                            : StreamPosition{.epoch = position.epoch + 1};
  }
  const StreamPosition& position() const override { return position_; }
  double progress() const override { return static_cast<double>(position_.update) / updates_per_epoch(); }
  double updates_per_epoch() const override { return static_cast<double>(columns_.windows()); }

 private:
  std::shared_ptr<const EncodedCorpus> corpus_;
  ContinuousText columns_;
  int64_t parts_;
  StreamPosition position_;
};

}  // namespace

std::unique_ptr<BatchSource> make_batch_source(std::shared_ptr<const EncodedCorpus> corpus, text::Tokenizers tokenizers,
                                               const StreamOptions& options, const MicroBatchShare& share,
                                               uint64_t seed) {
  check(options.parts > 0, "stream options out of range");
  if (const auto* text = std::get_if<TextContext>(&options.context)) {
    check(share.of == 1, "a continuous text is not shared");
    return std::make_unique<TextSource>(std::move(corpus), *text, options.parts);
  }
  return std::make_unique<PairSource>(std::move(corpus), std::move(tokenizers),
                                      std::get<SentenceContext>(options.context), options.parts, share, seed);
}

}  // namespace heed::data
