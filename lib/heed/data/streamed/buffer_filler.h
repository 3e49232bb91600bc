// Fills the shuffle buffer of a stream with the next pairs that are kept.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/stream_position.h"
#include "heed/data/streamed/pair_buffer.h"
#include "heed/data/streamed/pair_stream.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

struct FilledBuffer {
  std::shared_ptr<const PairBuffer> pairs;  ///< none at the stream's end
  StreamedLines after;                      ///< where the next one begins
  bool last = false;                        ///< the stream has ended
};

/// What a stream becomes encoded pairs by.
struct StreamEncoding {
  text::Tokenizers tokenizers;
  CorpusOptions options;
  int64_t threads = 1;
};

class BufferFiller {
 public:
  /// size: pairs of a buffer.
  BufferFiller(std::shared_ptr<PairStream> stream, StreamEncoding encoding, int64_t size);

  /// The position of the first line.
  StreamedLines start() const { return {.before = {}, .sha256 = stream_->sha256()}; }
  /// Passes over the lines before that position. Throws InputError where the stream has fewer, or others.
  void skip(const StreamedLines& to);
  /// from: where the stream stands. Throws what PairStream::next does, and InputError where the stream ends without a
  /// pair that is kept.
  FilledBuffer fill(const StreamedLines& from);
  void break_off() { stream_->break_off(); }

 private:
  bool read(std::vector<EncodedPair>& block, int64_t size);

  std::shared_ptr<PairStream> stream_;
  StreamEncoding encoding_;
  CorpusForm form_;
  int64_t size_;
};

}  // namespace heed::data
