// Fills the shuffle buffer of a stream with the next pairs that are not left out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "heed/data/corpus/corpus_summary.h"
#include "heed/data/overlap/validation_pairs.h"
#include "heed/data/streamed/buffer_source.h"
#include "heed/data/streamed/pair_stream.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

/// How the pairs of a stream are encoded.
struct StreamEncoding {
  text::Tokenizers tokenizers;
  CorpusOptions options;
  int64_t threads = 1;
  std::shared_ptr<const ValidationPairs> valid = nullptr;  ///< validation pairs to look for in the stream; null: none
};

class BufferFiller : public BufferSource {
 public:
  /// size: pairs per buffer.
  BufferFiller(std::shared_ptr<PairStream> stream, StreamEncoding encoding, int64_t size);

  StreamedLines start() const override { return {.before = {}, .sha256 = stream_->sha256()}; }
  void skip(const StreamedLines& to) override;
  FilledBuffer fill(const StreamedLines& from) override;
  void break_off() override { stream_->break_off(); }

 private:
  bool read(std::vector<EncodedPair>& block, int64_t size);
  void look_for_leaks(std::vector<EncodedPair>& block);
  void advise(const StreamedLines& from, const CorpusSummary& counts) const;

  std::shared_ptr<PairStream> stream_;
  StreamEncoding encoding_;
  CorpusForm form_;
  int64_t size_;
  std::string first_leak_;  // "train.tsv:7 is dev.tsv:1"
};

}  // namespace heed::data
