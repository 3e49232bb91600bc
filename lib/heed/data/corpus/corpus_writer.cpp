#include "heed/data/corpus/corpus_writer.h"

#include <zlib.h>

namespace heed::data {

CorpusWriter::CorpusWriter(const std::string& path) : file_(path) { append(kMagic.data(), kMagic.size()); }

void CorpusWriter::add(const EncodedPair& pair) {
  if (entries_.empty()) {
    crc_ = 0;
    blocks_.push_back({.begin = position_, .entries = 0, .pairs = 0, .crc = 0});
  }
  entries_.push_back({.record = position_,
                      .line = pair.line,
                      .source_ids = static_cast<uint32_t>(pair.source.size()),
                      .target_ids = static_cast<uint32_t>(pair.target.size()),
                      .source_bytes = static_cast<uint32_t>(pair.text.source.size()),
                      .target_bytes = static_cast<uint32_t>(pair.text.target.size())});
  append(pair.source.data(), pair.source.size() * sizeof(int32_t));
  append(pair.target.data(), pair.target.size() * sizeof(int32_t));
  append(pair.text.source.data(), pair.text.source.size());
  append(pair.text.target.data(), pair.text.target.size());
  constexpr char kZeros[8] = {};
  append(kZeros, (8 - position_ % 8) % 8);
  if (entries_.size() == kBlockPairs) end_block();
}

void CorpusWriter::finish(const std::string& json) {
  end_block();
  crc_ = 0;
  CorpusTrailer trailer{.blocks = position_, .json = 0, .crc = 0};
  append(blocks_.data(), blocks_.size() * sizeof(BlockEntry));
  trailer.json = position_;
  append(json.data(), json.size());
  trailer.crc = crc_;
  append(&trailer, sizeof trailer);
  flush();
  file_.commit();
}

void CorpusWriter::end_block() {
  if (entries_.empty()) return;
  BlockEntry& block = blocks_.back();
  block.entries = position_;
  block.pairs = entries_.size();
  append(entries_.data(), entries_.size() * sizeof(PairEntry));
  block.crc = crc_;
  entries_.clear();
}

void CorpusWriter::append(const void* bytes, size_t count) {
  if (count == 0) return;
  crc_ = crc32_z(crc_, static_cast<const Bytef*>(bytes), count);
  buffer_.append(static_cast<const char*>(bytes), count);
  position_ += count;
  if (buffer_.size() >= (1 << 20)) flush();
}

void CorpusWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

}  // namespace heed::data
