#include "heed/data/batches/continuous_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "heed/core/error.h"
#include "heed/data/batches/batching.h"
#include "heed/text/tokenizer.h"

namespace heed::data {

ContinuousText::ContinuousText(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context)
    : corpus_(std::move(corpus)), steps_(context.steps) {
  check(!corpus_->has_source(), "a continuous text has one side");
  check(context.columns > 0 && steps_ > 1, "a continuous text needs columns and steps");
  const int64_t lines = corpus_->size();
  for (int64_t line = 0; line < lines; ++line) places_.push_back(corpus_->target_length(line) + 2);  // 2: bos and eos
  begins_ = cut_evenly(places_, context.columns);
  begins_.push_back(lines);
  for (size_t column = 0; column + 1 < begins_.size(); ++column) {
    int64_t place = 0;
    for (int64_t line = begins_[column]; line < begins_[column + 1]; ++line) {
      place += std::exchange(places_[static_cast<size_t>(line)], place);
    }
    lengths_.push_back(place);
    windows_ = std::max(windows_, (place - 1 + steps_ - 1) / steps_);
  }
}

std::vector<MicroBatch> ContinuousText::window(int64_t window, int64_t micro_batches) const {
  check(window >= 0 && window < windows_, "a window that the text does not have");
  const int64_t groups = std::min(micro_batches, columns());
  std::vector<MicroBatch> batches;
  for (int64_t i = 0; i < groups; ++i) {
    MicroBatch batch = group(window, i * columns() / groups, (i + 1) * columns() / groups);
    if (batch.target_tokens > 0) batches.push_back(std::move(batch));
  }
  return batches;
}

MicroBatch ContinuousText::group(int64_t window, int64_t first, int64_t last) const {
  const int64_t begin = window * steps_;
  int64_t longest = 0;
  for (int64_t column = first; column < last; ++column) longest = std::max(longest, length(column) - begin);
  const int64_t rows = last - first;
  const int64_t places = std::clamp<int64_t>(longest, 0, steps_ + 1);
  MicroBatch batch{.source = IdMatrix{.rows = rows, .columns = 0, .ids = {}},
                   .target = {},
                   .lines = {},
                   .text = TextPlace{.column = first, .begins = window == 0}};
  IdMatrix target{
      .rows = rows, .columns = places, .ids = std::vector<int64_t>(static_cast<size_t>(rows * places), text::kPad)};
  for (int64_t column = first; column < last; ++column) fill(batch, target, column - first, column, begin);
  batch.target = TokenTargets{std::move(target)};
  return batch;
}

void ContinuousText::fill(MicroBatch& batch, IdMatrix& target, int64_t row, int64_t column, int64_t begin) const {
  const auto first = places_.begin() + begins_[static_cast<size_t>(column)];
  const auto last = places_.begin() + begins_[static_cast<size_t>(column) + 1];
  // The line that contains `begin`, or the last line if the column has ended.
  int64_t line = std::upper_bound(first, last, begin) - places_.begin() - 1;
  batch.lines.push_back(line);
  const int64_t end = std::min(begin + target.columns, length(column));
  auto cell = target.ids.begin() + row * target.columns;
  for (int64_t place = begin; place < end; ++place, ++cell) {
    const auto ids = corpus_->target_ids(line);
    const int64_t within = place - places_[static_cast<size_t>(line)];
    const bool ends = within == std::ssize(ids) + 1;
    *cell = within == 0 ? text::kBos : ends ? text::kEos : ids[static_cast<size_t>(within - 1)];
    if (place > begin && within > 0) ++batch.target_tokens;
    if (ends) ++line;
  }
}

std::vector<MicroBatch> text_batches(std::shared_ptr<const EncodedCorpus> corpus, const TextContext& context) {
  const ContinuousText columns(std::move(corpus), context);
  std::vector<MicroBatch> batches;
  for (int64_t window = 0; window < columns.windows(); ++window) {
    for (MicroBatch& batch : columns.window(window, 1)) batches.push_back(std::move(batch));
  }
  return batches;
}

}  // namespace heed::data
