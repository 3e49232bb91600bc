#include "heed/translation/predictor.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "heed/core/error.h"
#include "heed/nn/transfer.h"
#include "heed/search/logits/step_source.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/targets/word_ids.h"
#include "heed/translation/evaluation_mode.h"
#include "heed/translation/lines/batch_ends.h"
#include "heed/translation/lines/jobs.h"

namespace heed::translation {
namespace {

using at::Tensor;

/// The tokens, without end-of-sentence, of the longest line that is read whole.
int64_t longest_line(const models::Model& model, const PredictorOptions& options) {
  constexpr int64_t kEos = 1;
  int64_t longest = options.max_source_length.value_or(std::numeric_limits<int64_t>::max());
  if (const auto limit = model.max_source_length()) longest = std::min(longest, *limit - kEos);
  return longest;
}

std::span<const float> row_of(const Tensor& matrix, int64_t row) {
  return {matrix.const_data_ptr<float>() + row * matrix.stride(0), static_cast<size_t>(matrix.size(1))};
}

std::vector<float> to_vector(std::span<const float> values) { return {values.begin(), values.end()}; }

int32_t most_probable(std::span<const float> probabilities) {
  return static_cast<int32_t>(std::ranges::max_element(probabilities) - probabilities.begin());
}

}  // namespace

/// What is read at once: a line, or a stretch of whole words of one.
struct Predictor::Part {
  size_t line;
  text::Ids ids{};
  std::shared_ptr<const search::SourceItem> item{};
  std::vector<int64_t> begins{};  // of words that get labels
  bool cut = false;
  Prediction prediction{};

  search::SourceSentence source() const { return {0, ids, item.get()}; }
  size_t length() const { return static_cast<size_t>(source().length()) + 1; }
};

Predictor::Predictor(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const PredictorOptions& options,
                     at::Device device)
    : model_(std::move(model)),
      tokenizers_(std::move(tokenizers)),
      options_(options),
      device_(device),
      longest_(longest_line(*model_, options)) {
  check(model_->head && tokenizers_.target, "predictions are made by a head");
}

std::vector<Prediction> Predictor::predict(std::span<const std::string> lines,
                                           const std::function<void(int64_t)>& on_batch) const {
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({.text = line});
  return predict_all(sources, on_batch);
}

std::vector<Prediction> Predictor::predict_all(std::span<const SourceLine> lines,
                                               const std::function<void(int64_t)>& on_batch) const {
  const EvaluationMode evaluation(*model_);
  std::vector<Part> parts;
  for (size_t line = 0; line < lines.size(); ++line) {
    for (Part& part : parts_of(line, lines[line])) parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(parts, std::greater{}, &Part::length);
  std::vector<size_t> lengths;
  for (const Part& part : parts) lengths.push_back(part.length());
  const auto ends = batch_ends(lengths, options_.batch_tokens);
  run_jobs(worker_count(options_.workers, device_), std::ssize(ends), [&](int64_t job) {
    const auto batch = static_cast<size_t>(job);
    const size_t begin = batch == 0 ? 0 : ends[batch - 1];
    predict_batch(std::span(parts).subspan(begin, ends[batch] - begin));
    if (on_batch) on_batch(static_cast<int64_t>(ends[batch] - begin));
  });
  std::ranges::stable_sort(parts, std::less{}, &Part::line);  // the parts of a line
  std::vector<Prediction> predictions(lines.size());
  for (Part& part : parts) append(predictions[part.line], std::move(part));
  return predictions;
}

std::string Predictor::text(const Prediction& prediction) const {
  return kind() == text::TargetKind::Numbers ? text::format_numbers(prediction.numbers)
                                             : tokenizers_.target->decode(prediction.labels);
}

std::vector<Predictor::Part> Predictor::parts_of(size_t line, const SourceLine& source) const {
  if (source.has_item_alone()) return {{.line = line, .item = source.item}};
  if (kind() == text::TargetKind::WordLabels) return read_words(line, source);
  Part part{.line = line, .ids = tokenizers_.source->encode(source.text), .item = source.item};
  if (part.ids.empty()) return {};
  part.cut = std::ssize(part.ids) > longest_;
  if (part.cut) part.ids.resize(static_cast<size_t>(longest_));
  return {std::move(part)};
}

/// A word that is longer than what can be read is read from its begin.
std::vector<Predictor::Part> Predictor::read_words(size_t line, const SourceLine& source) const {
  const text::WordIds words = text::word_ids(*tokenizers_.source, source.text);
  std::vector<Part> parts;
  for (size_t word = 0; word < words.begins.size(); ++word) {
    const int64_t begin = words.begins[word];
    const int64_t end = word + 1 < words.begins.size() ? words.begins[word + 1] : std::ssize(words.ids);
    const int64_t length = std::min(end - begin, longest_);
    if (parts.empty() || std::ssize(parts.back().ids) + length > longest_)
      parts.push_back({.line = line, .item = source.item});
    Part& part = parts.back();
    part.begins.push_back(std::ssize(part.ids));
    part.ids.insert(part.ids.end(), words.ids.begin() + begin, words.ids.begin() + begin + length);
  }
  for (Part& part : parts) part.cut = parts.size() > 1 || part.ids.size() < words.ids.size();
  return parts;
}

void Predictor::append(Prediction& line, Part&& part) {
  Prediction& found = part.prediction;
  std::ranges::move(found.labels, std::back_inserter(line.labels));
  std::ranges::move(found.probabilities, std::back_inserter(line.probabilities));
  std::ranges::move(found.numbers, std::back_inserter(line.numbers));
  std::ranges::move(found.attention, std::back_inserter(line.attention));
  line.item_attention = std::move(found.item_attention);
  std::ranges::move(part.ids, std::back_inserter(line.source));
  line.cut = line.cut || part.cut;
}

void Predictor::predict_batch(std::span<Part> parts) const {
  const c10::InferenceMode guard;
  std::vector<search::SourceSentence> sources;
  for (const Part& part : parts) sources.push_back(part.source());
  const models::Memory memory = model_->encode(source_of(sources));
  const models::HeadStates states = model_->head->forward(memory);
  switch (kind()) {
    case text::TargetKind::WordLabels:
      return take_labels(parts, states.hidden);
    case text::TargetKind::Numbers:
      return take_numbers(parts, states);
    case text::TargetKind::Class:
    case text::TargetKind::Text:
      return take_classes(parts, states);
  }
}

/// On the device.
models::Source Predictor::source_of(std::span<const search::SourceSentence> sentences) const {
  const search::StepSource here = search::step_source(sentences);
  const auto there = nn::upload({here.tokens, here.vectors}, device_);
  return {there[0], {there[1], here.shapes}};
}

void Predictor::take_classes(std::span<Part> parts, const models::HeadStates& states) const {
  const Tensor logits = model_->logits(states.hidden.squeeze(1)).to(at::kFloat);  // [S, labels]
  const auto here = nn::download({at::softmax(logits, 1), states.attention});
  for (size_t i = 0; i < parts.size(); ++i) {
    Prediction& prediction = parts[i].prediction;
    const auto probabilities = row_of(here[0], static_cast<int64_t>(i));
    prediction.labels = {most_probable(probabilities)};
    prediction.probabilities = {to_vector(probabilities)};
    take_attention(parts[i], here[1], i);
  }
}

void Predictor::take_numbers(std::span<Part> parts, const models::HeadStates& states) const {
  const auto& head = dynamic_cast<const models::NumberHead&>(*model_->head);
  const Tensor numbers = head.restored(model_->output(states.hidden.squeeze(1)).to(at::kFloat));  // [S, numbers]
  const auto here = nn::download({numbers, states.attention});
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i].prediction.numbers = to_vector(row_of(here[0], static_cast<int64_t>(i)));
    take_attention(parts[i], here[1], i);
  }
}

void Predictor::take_attention(Part& part, const Tensor& attention, size_t row) {
  if (!attention.defined()) return;
  const auto weights = row_of(attention, static_cast<int64_t>(row));
  part.prediction.attention = to_vector(weights.first(part.ids.size()));
  if (!part.item) return;
  const size_t text = part.item->has_text ? part.ids.size() + 1 : 0;  // end-of-sentence
  part.prediction.item_attention = to_vector(weights.subspan(text, static_cast<size_t>(part.item->positions)));
}

void Predictor::take_labels(std::span<Part> parts, const Tensor& hidden) const {
  size_t longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.begins.size());
  const auto shape = {std::ssize(parts), static_cast<int64_t>(longest)};
  const Tensor places = at::zeros(shape, at::kLong), real = at::zeros(shape, at::kBool);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::ranges::copy(parts[i].begins, places.mutable_data_ptr<int64_t>() + i * longest);
    std::fill_n(real.mutable_data_ptr<bool>() + i * longest, parts[i].begins.size(), true);
  }
  const auto there = nn::upload({places, real}, hidden.device());
  const Tensor states = hidden.gather(1, there[0].unsqueeze(2).expand({-1, -1, hidden.size(2)}));
  const Tensor scores = model_->logits(states).to(at::kFloat);  // [S, words, labels]
  nn::Crf& crf = model_->head->crf;
  const Tensor best = crf ? crf->best(scores, there[1]) : scores.argmax(2);
  const Tensor probabilities = crf ? crf->marginals(scores, there[1]) : at::softmax(scores, 2);
  const auto here = nn::download({best, probabilities});
  for (size_t i = 0; i < parts.size(); ++i) {
    const Tensor labels = here[0].select(0, static_cast<int64_t>(i)),
                 of_words = here[1].select(0, static_cast<int64_t>(i));
    Prediction& prediction = parts[i].prediction;
    for (int64_t word = 0; word < std::ssize(parts[i].begins); ++word) {
      prediction.labels.push_back(static_cast<int32_t>(labels.const_data_ptr<int64_t>()[word]));
      prediction.probabilities.push_back(to_vector(row_of(of_words, word)));
    }
  }
}

}  // namespace heed::translation
