#include "heed_torch/translation/predictor.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

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
      tokenizers_(std::move(tokenizers)),
      options_(options),
      device_(device),
      longest_(longest_line(*models_.front(), options)) {
  check(models_.front()->head && tokenizers_.target, "predictions are made by a head");
}

void Predictor::add_model(std::shared_ptr<models::Model> model, const text::Tokenizers& tokenizers,
                          const std::string& option) {
  require_same_source(*models_.front(), tokenizers_, *model, tokenizers, option);
  if (!model->head || tokenizers.target->target_kind() != kind()) {
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
  std::ranges::stable_sort(parts, std::less{}, &Part::line);  // brings the parts of a line together
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
  std::ranges::move(found.labels, std::back_inserter(line.labels));
  std::ranges::move(found.probabilities, std::back_inserter(line.probabilities));
  std::ranges::move(found.numbers, std::back_inserter(line.numbers));
  std::ranges::move(found.attention, std::back_inserter(line.attention));
  line.item_attention = std::move(found.item_attention);
  std::ranges::move(part.ids, std::back_inserter(line.source));
  line.cut = line.cut || part.cut;
}

/// The places of the words that get labels.
struct Predictor::WordPlaces {
  Tensor places;  // int64 [S, words]: the first token of each word
  Tensor real;    // bool [S, words]

  explicit WordPlaces(std::span<const Part> parts) {
    size_t longest = 0;
    for (const Part& part : parts) longest = std::max(longest, part.begins.size());
    const auto shape = {std::ssize(parts), static_cast<int64_t>(longest)};
    places = at::zeros(shape, at::kLong);
    real = at::zeros(shape, at::kBool);
    for (size_t i = 0; i < parts.size(); ++i) {
      std::ranges::copy(parts[i].begins, places.mutable_data_ptr<int64_t>() + i * longest);
      std::fill_n(real.mutable_data_ptr<bool>() + i * longest, parts[i].begins.size(), true);
    }
  }
};

/// The result of the models for some parts.
struct Predictor::Outcome {
  Tensor values;     // float: probabilities [S, labels], for words [S, words, labels], or numbers [S, numbers]
  Tensor labels;     // int64 [S] or [S, words]; undefined: numbers
  Tensor attention;  // float [S, source] with pooling by attention, else undefined
};

void Predictor::predict_batch(std::span<Part> parts) const {
  const c10::InferenceMode guard;
  std::vector<search::SourceSentence> sources;
  for (const Part& part : parts) sources.push_back(part.source());
  const models::Source source = source_of(sources);
  const WordPlaces words(parts);
  std::vector<Outcome> outcomes;
  for (const auto& model : models_) outcomes.push_back(ask(*model, source, words));
  take(parts, outcomes.size() == 1 ? outcomes[0] : mean_of(outcomes));
}

/// Copies the sources to the device.
models::Source Predictor::source_of(std::span<const search::SourceSentence> sentences) const {
  const models::Source here = source_tensors(sentences);
  const auto there = nn::upload({here.tokens, here.vectors.values}, device_);
  return {there[0], {there[1], here.vectors.shapes}};
}

Predictor::Outcome Predictor::ask(models::Model& model, const models::Source& source, const WordPlaces& words) const {
  const models::HeadStates states = model.head->forward(model.encode(source));
  if (const auto* numbers = dynamic_cast<const models::NumberHead*>(model.head.get())) {
    return {.values = numbers->restored(model.output(states.hidden.squeeze(1)).to(at::kFloat)),
            .labels = {},
            .attention = states.attention};
  }
  if (kind() != text::TargetKind::WordLabels) {
    const Tensor probabilities = at::softmax(model.logits(states.hidden.squeeze(1)).to(at::kFloat), 1);
    return {.values = probabilities, .labels = probabilities.argmax(1), .attention = states.attention};
  }
  const auto there = nn::upload({words.places, words.real}, device_);
  const Tensor of_words =
      states.hidden.gather(1, there[0].unsqueeze(2).expand({-1, -1, states.hidden.size(2)}));  // [S, words, d]
  const Tensor scores = model.logits(of_words).to(at::kFloat);                                 // [S, words, labels]
  nn::Crf& crf = model.head->crf;
  if (!crf) return {.values = at::softmax(scores, 2), .labels = scores.argmax(2), .attention = {}};
  return {.values = crf->marginals(scores, there[1]), .labels = crf->best(scores, there[1]), .attention = {}};
}

Predictor::Outcome Predictor::mean_of(std::span<const Outcome> outcomes) {
  Outcome mean = outcomes.front();
  double with_attention = 1;
  for (const Outcome& other : outcomes.subspan(1)) {
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

void Predictor::take(std::span<Part> parts, const Outcome& outcome) const {
  const auto here = nn::download({outcome.values, outcome.labels, outcome.attention});
  const Tensor &values = here[0], &labels = here[1];
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    Prediction& prediction = parts[i].prediction;
    if (!labels.defined()) {
      prediction.numbers = to_vector(row_of(values, row));
    } else if (labels.dim() == 1) {
      prediction.labels = {static_cast<int32_t>(labels.const_data_ptr<int64_t>()[row])};
      prediction.probabilities = {to_vector(row_of(values, row))};
    } else {
      const Tensor of_part = labels.select(0, row), of_words = values.select(0, row);
      for (int64_t word = 0; word < std::ssize(parts[i].begins); ++word) {
        prediction.labels.push_back(static_cast<int32_t>(of_part.const_data_ptr<int64_t>()[word]));
        prediction.probabilities.push_back(to_vector(row_of(of_words, word)));
      }
    }
    take_attention(parts[i], here[2], i);
  }
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
