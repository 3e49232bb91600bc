#include "heed_torch/translation/engine_step.h"

#include <algorithm>
#include <span>
#include <utility>

#include <ATen/ATen.h>

#include "heed/text/tokenizer.h"
#include "heed_torch/search/row_best.h"

namespace heed::translation {
namespace {

/// The numbers of an int64 tensor on the CPU.
template <class To>
std::vector<To> numbers_of(const at::Tensor& tensor) {
  const at::Tensor row = tensor.contiguous();
  const auto* first = row.const_data_ptr<int64_t>();
  std::vector<To> numbers(static_cast<size_t>(row.numel()));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<To>(first[i]);
  return numbers;
}

/// source: int64 [S, source], each row ids, end-of-sentence and padding.
engine::Sources sources_of(const at::Tensor& source) {
  engine::Sources sources;
  const auto ids = numbers_of<int32_t>(source);
  const auto width = static_cast<size_t>(source.size(1));
  for (size_t begin = 0; begin < ids.size(); begin += width) {
    const auto row = std::span(ids).subspan(begin, width);
    sources.add(row.first(static_cast<size_t>(std::ranges::find(row, text::kEos) - row.begin())));
  }
  return sources;
}

}  // namespace

EngineStep::EngineStep(std::shared_ptr<const engine::Engine> engine)
    : engine_(std::move(engine)), run_(*engine_), scratch_(engine_->precision()) {}

void EngineStep::start(const search::StepSource& source, int64_t beam, bool attention) {
  attention_ = attention;
  run_.start(sources_of(source.tokens), beam, attention);
}

search::StepScores EngineStep::step(const at::Tensor& tokens) {
  const engine::Rows& hidden = run_.step(numbers_of<int32_t>(tokens));
  const int64_t sentences = tokens.size(0), beam = tokens.size(1);
  const at::Tensor rows = at::empty({sentences, beam, engine_->output().row_size()}, at::kFloat);
  engine_->output().logits(hidden, scratch_, rows.mutable_data_ptr<float>());
  search::StepScores scores;
  scores.logits = rows.narrow(-1, 0, vocab_size());
  scores.logsumexp = search::logsumexp(scores.logits);
  if (attention_) scores.attention = at::tensor(run_.attention()).view({sentences, beam, run_.columns()});
  return scores;
}

void EngineStep::select(const at::Tensor& sentences, const at::Tensor& parents) {
  run_.select(numbers_of<int64_t>(sentences), numbers_of<int32_t>(parents));
}

void EngineStep::join(const search::StepSource& source) { run_.join(sources_of(source.tokens)); }

}  // namespace heed::translation
