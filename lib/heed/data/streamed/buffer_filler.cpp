#include "heed/data/streamed/buffer_filler.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/data/encoded/admission.h"

namespace heed::data {

BufferFiller::BufferFiller(std::shared_ptr<PairStream> stream, StreamEncoding encoding, int64_t size)
    : stream_(std::move(stream)),
      encoding_(std::move(encoding)),
      form_(form_of(encoding_.tokenizers, stream_->files())),
      size_(size) {
  check(size_ > 0, "a shuffle buffer holds at least one pair");
}

void BufferFiller::skip(const StreamedLines& to) {
  const std::string name = names_of(stream_->files());
  const int64_t lines = to.before.read;
  if (lines > 0) log_info(fmt::format("{}: passing over {} that were read before", name, counted(lines, "line")));
  for (TextPair pair; stream_->lines() < lines;) {
    if (stream_->next(pair)) continue;
    throw InputError(name, 0,
                     fmt::format("ends after {}, but the training has read {} of it: give the same text again, from "
                                 "its beginning",
                                 counted(stream_->lines(), "line"), lines));
  }
  if (stream_->sha256() == to.sha256) return;
  throw InputError(name, 0,
                   fmt::format("its first {} differ from those that the training has read: give the same text "
                               "again, from its beginning",
                               counted(lines, "line")));
}

/// Reads a block of `size` pairs. Returns whether the stream had that many.
bool BufferFiller::read(std::vector<EncodedPair>& block, int64_t size) {
  block.clear();
  EncodedPair pair;
  while (std::ssize(block) < size && stream_->next(pair.text)) {
    pair.line = static_cast<uint64_t>(stream_->lines() - 1);
    block.push_back(std::exchange(pair, {}));
  }
  return std::ssize(block) == size;
}

void BufferFiller::look_for_leaks(std::vector<EncodedPair>& block) {
  if (!encoding_.valid) return;
  for (EncodedPair& pair : block) {
    const auto place = encoding_.valid->place_of(pair.text);
    pair.leaking = place.has_value();
    if (!place || !first_leak_.empty()) continue;
    first_leak_ = fmt::format("{} is {}", stream_->places().of(static_cast<int64_t>(pair.line)), *place);
  }
}

/// Logs what the lines of the first buffer look like. Also logs, for the first buffer that has any, how many pairs of
/// the validation text it has.
void BufferFiller::advise(const StreamedLines& from, const CorpusSummary& counts) const {
  if (from.before.read == 0) stream_->log_advice("data.");
  if (from.before.leaking > 0 || counts.leaking == 0) return;
  const bool leaves_out = encoding_.options.filters.leaking == FilterAction::LeaveOut;
  log_warning(fmt::format("{}: {} of the first {} in the validation text too ({}){}", names_of(stream_->files()),
                          counted(counts.leaking, form_.has_source ? "pair" : "line"), counts.read, first_leak_,
                          leaves_out ? ": left out of the training"
                                     : "; scores on them do not show how the model does on new text: `--data.leaking "
                                       "leave-out` trains without them"));
}

FilledBuffer BufferFiller::fill(const StreamedLines& from) {
  constexpr int64_t kBlock = 4096;  // pairs that are encoded together
  const int64_t replaced = stream_->replaced_lines();
  const auto pairs = std::make_shared<PairBuffer>(form_, encoding_.options, from.before.kept);
  FilledBuffer filled{.pairs = pairs, .after = {.before = from.before, .source_lengths = from.source_lengths}};
  CorpusSummary& counts = filled.after.before;
  for (std::vector<EncodedPair> block; pairs->size() < size_ && !filled.last;) {
    filled.last = !read(block, std::min(kBlock, size_ - pairs->size()));
    encode_pairs(block, encoding_.tokenizers, nullptr, encoding_.threads);
    look_for_leaks(block);
    for (const EncodedPair& pair : block) {
      if (!pair.error.empty()) throw stream_->error_at(static_cast<int64_t>(pair.line), pair.error);
      if (!admit(pair, form_, encoding_.options, counts)) continue;
      pairs->add(pair);
      if (form_.has_source) count_length(std::ssize(pair.source), filled.after.source_lengths);
    }
  }
  counts.replaced_lines += stream_->replaced_lines() - replaced;
  filled.after.sha256 = stream_->sha256();
  const LengthCounts& lengths = filled.after.source_lengths;
  if (!lengths.empty()) filled.after.usual_source_length = usual_source_length(lengths);
  pairs->set_places(stream_->places());
  advise(from, counts);
  if (filled.last && counts.kept == 0) throw nothing_left(stream_->files(), counts, encoding_.options, form_);
  return filled;
}

}  // namespace heed::data
