#include "heed/data/training_text.h"

#include <utility>
#include <variant>

#include "heed/core/error.h"
#include "heed/data/streamed/streamed_source.h"

namespace heed::data {

std::unique_ptr<UpdateSource> StoredText::updates(text::Tokenizers tokenizers, const StreamOptions& options,
                                                  const PartShare& share, uint64_t seed) const {
  return make_update_source(corpus_, std::move(tokenizers), options, share, seed);
}

std::unique_ptr<UpdateSource> StreamedText::updates(text::Tokenizers tokenizers, const StreamOptions& options,
                                                    const PartShare& share, uint64_t seed) const {
  const auto buffer = shuffle_buffer_of(options);
  check(buffer.has_value(), "a stream needs a shuffle buffer");
  return std::make_unique<StreamedSource>(std::make_unique<BufferFiller>(stream_, encoding_, *buffer),
                                          UpdateMaker(std::move(tokenizers), options.parts, share, seed),
                                          std::get<SentenceContext>(options.context).update_tokens, seed);
}

void StreamedText::tell(const StreamPosition& position) const {
  if (!position.lines || position.lines->before.read == 0) return;
  log_summary(stream_->files(), position.lines->before, encoding_.options,
              {.has_source = has_source(), .target = target_kind()});
}

}  // namespace heed::data
