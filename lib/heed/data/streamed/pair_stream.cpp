#include "heed/data/streamed/pair_stream.h"

#include <utility>

#include "heed/core/files/unpacked_file.h"

namespace heed::data {

PairStream::PairStream(CorpusFiles files, const TextFormat& format)
    : files_(std::move(files)), reader_(files_, format) {
  reader_.break_off_if([this] { return broken_off_.load(); });
}

void PairStream::read_ahead(int64_t bytes, const std::function<int64_t(const TextPair&)>& bytes_of) {
  check(lines_ == 0, "text is read ahead before any of it is given");
  for (TextPair pair; bytes > 0 && reader_.next(pair);) {
    bytes -= bytes_of(pair);
    ahead_.push_back({.pair = std::exchange(pair, {}), .replaced = reader_.replaced_lines()});
  }
}

bool PairStream::take(TextPair& pair) {
  if (ahead_.empty()) {
    const bool is_there = reader_.next(pair);
    replaced_ = reader_.replaced_lines();
    return is_there;
  }
  pair = std::move(ahead_.front().pair);
  replaced_ = ahead_.front().replaced;
  ahead_.pop_front();
  return true;
}

bool PairStream::next(TextPair& pair) {
  if (broken_off_) throw ReadCancelled();
  if (!take(pair)) return false;
  ++lines_;
  for (const std::string* line : {&pair.source, &pair.target}) {
    sha256_.update(line->data(), line->size());
    sha256_.update("\n", 1);
  }
  if (files_.has_weights()) sha256_.update(&pair.weight, sizeof pair.weight);
  sha256_.update(pair.alignment.data(), pair.alignment.size());
  return true;
}

}  // namespace heed::data
