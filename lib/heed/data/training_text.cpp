#include "heed/data/training_text.h"

#include <utility>
#include <variant>

#include "heed/core/error.h"
#include "heed/data/streamed/shared_buffers.h"
#include "heed/data/streamed/streamed_source.h"

namespace heed::data {
namespace {

std::unique_ptr<BatchSource> batches_of(std::unique_ptr<BufferSource> buffers, text::Tokenizers tokenizers,
                                        const StreamOptions& options, const MicroBatchShare& share, uint64_t seed) {
  const auto& context = std::get<SentenceContext>(options.context);
  return std::make_unique<StreamedSource>(
      std::move(buffers),
      BatchBuilder(std::move(tokenizers), options.micro_batches, share, seed, Augmentation(context.augment)),
      context.step_tokens, seed);
}

}  // namespace

std::unique_ptr<BatchSource> StoredText::batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                                 const MicroBatchShare& share, uint64_t seed) const {
  return make_batch_source(corpus_, std::move(tokenizers), options, share, seed);
}

std::unique_ptr<BatchSource> StreamedText::batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                                   const MicroBatchShare& share, uint64_t seed) const {
  const auto size = shuffle_buffer_of(options);
  check(size.has_value(), "a stream needs a shuffle buffer");
  std::unique_ptr<BufferSource> buffers = std::make_unique<BufferFiller>(stream_, encoding_, *size);
  if (feed_) buffers = std::make_unique<SendingBuffers>(std::move(buffers), feed_);
  return batches_of(std::move(buffers), std::move(tokenizers), options, share, seed);
}

std::unique_ptr<BatchSource> ReceivedText::batches(text::Tokenizers tokenizers, const StreamOptions& options,
                                                   const MicroBatchShare& share, uint64_t seed) const {
  return batches_of(std::make_unique<ReceivingBuffers>(feed_, form_, limits_), std::move(tokenizers), options, share,
                    seed);
}

void StreamedText::tell(const StreamPosition& position) const {
  if (!position.lines || position.lines->before.read == 0) return;
  log_summary(stream_->files(), position.lines->before, encoding_.options, form());
}

}  // namespace heed::data
