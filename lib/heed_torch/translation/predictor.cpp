#include "heed_torch/translation/predictor.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include "heed/architecture/architecture.h"
#include "heed/core/error.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/targets/word_ids.h"
#include "heed/translation/lines/batch_ends.h"
#include "heed/translation/same_vocabulary.h"
#include "heed_torch/nn/transfer.h"
#include "heed_torch/translation/evaluation_mode.h"
#include "heed_torch/translation/lines/jobs.h"
#include "heed_torch/translation/lines/source_tensors.h"
#include "heed_torch/translation/same_source.h"

namespace heed::translation {
namespace {

using at::Tensor;

/// The length of the longest line that is read as a whole, in tokens without end-of-sentence.
int64_t longest_line(const models::Model& model, const PredictorOptions& options) {
  constexpr int64_t kEos = 1;
  int64_t longest = options.max_source_length.value_or(std::numeric_limits<int64_t>::max());
  if (const auto limit = model.max_source_length()) longest = std::min(longest, *limit - kEos);
  return longest;
}

std::span<const float> row_of(const Tensor& matrix, int64_t row) {
  return {matrix.const_data_ptr<float>() + row * matrix.stride(0), static_cast<size_t>(matrix.size(1))};
}

/// The prediction of a blank line, of the type that the model predicts.
struct BlankPrediction {
  Prediction operator()(const models::NoHeadOptions&) const {
    throw std::logic_error("predictions are made by a head");
  }
  Prediction operator()(const models::ClassHeadOptions&) const { return of<PredictedClass>(); }
  Prediction operator()(const models::LabelHeadOptions&) const { return of<PredictedWords>(); }
  Prediction operator()(const models::NumberHeadOptions&) const { return of<PredictedNumbers>(); }

 private:
  template <class Predicted>
  static Prediction of() {
    Prediction prediction;
    prediction.predicted = Predicted{};
    return prediction;
  }
};

Prediction blank_prediction(const models::Model& model) {
  return std::visit(BlankPrediction{}, model.options().head.type);
}

std::vector<float> to_vector(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

/// The unit that is read at once: a line, or some consecutive whole words of a line.
struct Predictor::Part {
  size_t line;
  text::Ids ids{};
  std::shared_ptr<const search::SourceItem> item{};
  std::vector<int64_t> begins{};  // first tokens of the words that get labels
  bool cut = false;
  Prediction prediction{};

  search::SourceSentence source() const { return {0, ids, item.get()}; }
  size_t length() const { return static_cast<size_t>(source().length()) + 1; }
};

Predictor::Predictor(std::shared_ptr<models::Model> model, text::Tokenizers tokenizers, const PredictorOptions& options,
                     at::Device device)
    : models_{std::move(model)},
      blank_(blank_prediction(*models_.front())),
      tokenizers_(std::move(tokenizers)),
      options_(options),
      device_(device),
      longest_(longest_line(*models_.front(), options)) {
  check(tokenizers_.target != nullptr, "predictions need the tokenizer of the target");
}

void Predictor::add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers,
                          const std::string& option) {
  require_same_source(*models_.front(), tokenizers_, *model, tokenizers, option);
  if (model->options().head.type.index() != models_.front()->options().head.type.index()) {
    throw ConfigError(option, "predicts something else than the first model");
  }
  require_same_vocabulary(*tokenizers_.target, *tokenizers.target, option, "target");
  longest_ = std::min(longest_, longest_line(*model, options_));
  models_.push_back(std::move(model));
}

std::vector<Prediction> Predictor::predict(std::span<const std::string> lines,
                                           const std::function<void(int64_t)>& on_batch) const {
  std::vector<SourceLine> sources;
  for (const std::string& line : lines) sources.push_back({.text = line});
  return predict_all(sources, on_batch);
}

std::vector<Prediction> Predictor::predict_all(std::span<const SourceLine> lines,
                                               const std::function<void(int64_t)>& on_batch) const {
  std::vector<std::unique_ptr<EvaluationMode>> evaluating;
  for (const auto& model : models_) evaluating.push_back(std::make_unique<EvaluationMode>(*model));
  std::vector<Part> parts;
  for (size_t line = 0; line < lines.size(); ++line) {
    for (Part& part : parts_of(line, lines[line])) {
      part.prediction = blank_;
      parts.push_back(std::move(part));
    }
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
  std::ranges::stable_sort(parts, std::less{}, &Part::line);  // brings the parts of a line together
  std::vector<Prediction> predictions(lines.size(), blank_);
  for (Part& part : parts) append(predictions[part.line], std::move(part));
  return predictions;
}

std::string Predictor::text(const Prediction& prediction) const {
  if (const auto* numbers = std::get_if<PredictedNumbers>(&prediction.predicted)) {
    return text::format_numbers(numbers->numbers);
  }
  if (const auto* words = std::get_if<PredictedWords>(&prediction.predicted)) {
    return tokenizers_.target->decode(words->labels);
  }
  const auto& label = std::get<PredictedClass>(prediction.predicted).label;
  return label ? tokenizers_.target->piece(*label) : "";
}

std::vector<Predictor::Part> Predictor::parts_of(size_t line, const SourceLine& source) const {
  if (source.has_item_alone()) return {{.line = line, .item = source.item}};
  if (labels_words()) return read_words(line, source);
  Part part{.line = line, .ids = tokenizers_.source->encode(source.text), .item = source.item};
  if (part.ids.empty()) return {};
  part.cut = std::ssize(part.ids) > longest_;
  if (part.cut) part.ids.resize(static_cast<size_t>(longest_));
  return {std::move(part)};
}

/// A word that is longer than the limit is truncated.
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
  if (auto* words = std::get_if<PredictedWords>(&line.predicted)) {
    auto& more = std::get<PredictedWords>(found.predicted);
    std::ranges::move(more.labels, std::back_inserter(words->labels));
    std::ranges::move(more.probabilities, std::back_inserter(words->probabilities));
  } else {
    line.predicted = std::move(found.predicted);  // such a line has one part
  }
  std::ranges::move(found.attention, std::back_inserter(line.attention));
  line.item_attention = std::move(found.item_attention);
  std::ranges::move(part.ids, std::back_inserter(line.source));
  line.cut = line.cut || part.cut;
}

/// On the device; undefined unless words get labels.
models::WordPlaces Predictor::word_places(std::span<const Part> parts) const {
  if (!labels_words()) return {};
  size_t longest = 0;
  for (const Part& part : parts) longest = std::max(longest, part.begins.size());
  const auto shape = {std::ssize(parts), static_cast<int64_t>(longest)};
  const Tensor places = at::zeros(shape, at::kLong), real = at::zeros(shape, at::kBool);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::ranges::copy(parts[i].begins, places.mutable_data_ptr<int64_t>() + i * longest);
    std::fill_n(real.mutable_data_ptr<bool>() + i * longest, parts[i].begins.size(), true);
  }
  const auto there = nn::upload({places, real}, device_);
  return {.places = there[0], .real = there[1]};
}

void Predictor::predict_batch(std::span<Part> parts) const {
  const c10::InferenceMode guard;
  std::vector<search::SourceSentence> sources;
  for (const Part& part : parts) sources.push_back(part.source());
  const models::Source source = source_of(sources);
  const models::WordPlaces words = word_places(parts);
  std::vector<models::HeadPrediction> outcomes;
  for (const auto& model : models_) {
    outcomes.push_back(model->head->predict(model->encode(source), model->output, words));
  }
  const models::HeadPrediction outcome = outcomes.size() == 1 ? outcomes[0] : mean_of(outcomes);
  const auto here = nn::download({outcome.values, outcome.labels, outcome.attention});
  for (size_t i = 0; i < parts.size(); ++i) {
    take_row(parts[i], {.values = here[0], .labels = here[1], .attention = here[2]}, static_cast<int64_t>(i));
    take_attention(parts[i], here[2], i);
  }
}

/// Copies the sources to the device.
models::Source Predictor::source_of(std::span<const search::SourceSentence> sentences) const {
  const models::Source here = source_tensors(sentences);
  const auto there = nn::upload({here.tokens, here.vectors.values}, device_);
  return {there[0], {there[1], here.vectors.shapes}};
}

models::HeadPrediction Predictor::mean_of(std::span<const models::HeadPrediction> outcomes) {
  models::HeadPrediction mean = outcomes.front();
  double with_attention = 1;
  for (const models::HeadPrediction& other : outcomes.subspan(1)) {
    mean.values = mean.values + other.values;
    if (!mean.attention.defined() || !other.attention.defined()) continue;
    if (mean.attention.sizes() != other.attention.sizes()) continue;
    mean.attention = mean.attention + other.attention;
    ++with_attention;
  }
  mean.values = mean.values / static_cast<double>(outcomes.size());
  if (mean.labels.defined()) mean.labels = mean.values.argmax(-1);
  if (mean.attention.defined()) mean.attention = mean.attention / with_attention;
  return mean;
}

namespace {

/// Takes the prediction of one row.
struct RowReader {
  const models::HeadPrediction& outcome;  // on the host
  int64_t row;
  int64_t words;

  void operator()(PredictedClass& predicted) const {
    predicted.label = static_cast<int32_t>(outcome.labels.const_data_ptr<int64_t>()[row]);
    predicted.probabilities = to_vector(row_of(outcome.values, row));
  }
  void operator()(PredictedWords& predicted) const {
    const Tensor labels = outcome.labels.select(0, row), values = outcome.values.select(0, row);
    for (int64_t word = 0; word < words; ++word) {
      predicted.labels.push_back(static_cast<int32_t>(labels.const_data_ptr<int64_t>()[word]));
      predicted.probabilities.push_back(to_vector(row_of(values, word)));
    }
  }
  void operator()(PredictedNumbers& predicted) const { predicted.numbers = to_vector(row_of(outcome.values, row)); }
};

}  // namespace

void Predictor::take_row(Part& part, const models::HeadPrediction& outcome, int64_t row) {
  std::visit(RowReader{outcome, row, std::ssize(part.begins)}, part.prediction.predicted);
}

void Predictor::take_attention(Part& part, const Tensor& attention, size_t row) {
  if (!attention.defined()) return;
  const auto weights = row_of(attention, static_cast<int64_t>(row));
  part.prediction.attention = to_vector(weights.first(part.ids.size()));
  if (!part.item) return;
  const size_t text = part.item->has_text ? part.ids.size() + 1 : 0;  // one more for end-of-sentence
  part.prediction.item_attention = to_vector(weights.subspan(text, static_cast<size_t>(part.item->positions)));
}

}  // namespace heed::translation
