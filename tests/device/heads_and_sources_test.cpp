// Steps of heads and of sources of vectors on the fake device and on the CPU.
#include <gtest/gtest.h>

#include <variant>

#include "device/networks.h"
#include "heed/text/targets/labels.h"
#include "heed/text/targets/numbers.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/translation/channel_weights.h"
#include "heed_torch/translation/predictor.h"
#include "support/tiny_tokenizer.h"

namespace heed::testing {
namespace {

using models::ArchitectureOptions;
using training::Precision;

constexpr int64_t kItems = 3, kWidth = 2, kNumbers = 2;

struct Source {
  const char* name;
  bool text;
  models::VectorOptions vectors = {};
};

models::ConvolvedVectors convolved(const models::VectorForm& form, const nn::ChannelAttentionOptions& attention) {
  return {.form = form, .channels = 4, .channel_attention = attention};
}

std::vector<Source> sources() {
  const models::VectorForm frames{.width = kWidth, .grid = false};
  const models::VectorForm grid{.width = kWidth, .grid = true};
  const models::GridPositionOptions learned{.positions = models::GridPositions::Learned, .longest_side = 6};
  const models::GridPositionOptions sinusoidal{.positions = models::GridPositions::Sinusoidal};
  return {
      {"text", true},
      {"frames", false, {models::ConvolvedVectors{.form = frames, .channels = 4}}},
      {"frames, squeeze-excitation", false, {convolved(frames, nn::SqueezeExcitation{.network = {.reduction = 2}})}},
      {"grids, CBAM", false, {convolved(grid, nn::Cbam{.network = {.reduction = 2}})}},
      {"grids, patches", false, {models::PatchVectors{.form = grid, .grid = learned, .size = 2}}},
      {"text and grids", true, {models::ProjectedVectors{.form = grid, .grid = sinusoidal}}}};
}

struct Head {
  const char* name;
  models::HeadOptions options;
};
const Head kDecoder{.name = "none", .options = {}};

template <class Options>
bool is(const Head& head) {
  return std::holds_alternative<Options>(head.options.type);
}

std::vector<Head> heads() {
  const models::NumberHeadOptions numbers{.pooling = models::MaxPooling{}, .loss = models::NumberLoss::Absolute};
  return {{"class, attention", {models::ClassHeadOptions{}}},
          {"class, mean", {models::ClassHeadOptions{.pooling = models::MeanPooling{}}}},
          {"class, last", {models::ClassHeadOptions{.pooling = models::LastPooling{}}}},
          {"labels", {models::LabelHeadOptions{}}},
          {"labels, CRF", {models::LabelHeadOptions{.crf = true}}},
          {"numbers", {numbers}}};
}

ArchitectureOptions reading(ArchitectureOptions options, const Source& source) {
  options.vectors = source.vectors;
  options.tied_embeddings = models::TiedEmbeddings::None;
  return options;
}

ArchitectureOptions with_head(ArchitectureOptions options, const Head& head) {
  options.decoder.type = models::NoDecoderOptions{};
  options.head = head.options;
  return options;
}

data::VectorBlock vectors_of(bool grid) {
  data::VectorBlock block{.rows = grid ? 2 : 1, .columns = grid ? 2 : 5, .width = kWidth};
  for (int64_t item = 0; item < kItems; ++item) {
    block.shapes.push_back({.rows = block.rows, .columns = std::max<int64_t>(block.columns - item, 1)});
  }
  for (int64_t i = 0; i < kItems * block.rows * block.columns * kWidth; ++i) {
    const bool padding = i / kWidth % block.columns >= block.shapes[i / (kWidth * block.rows * block.columns)].columns;
    block.values.push_back(padding ? 0 : static_cast<float>(i % 7) - 3);
  }
  return block;
}

/// A label where a word begins, here at every second token.
data::IdMatrix labels_of(const data::IdMatrix& source) {
  data::IdMatrix labels = source;
  for (size_t i = 0; i < labels.ids.size(); ++i) {
    const bool is_word = source.ids[i] > text::kEos && i % 2 == 0;
    labels.ids[i] = is_word ? static_cast<int64_t>(i % 5) : text::kNoLabel;
  }
  return labels;
}

void set_target(data::MicroBatch& batch, const Head& head) {
  if (is<models::ClassHeadOptions>(head)) {
    batch.target = data::LabelTargets{{.rows = kItems, .columns = 1, .ids = {2, 0, 4}}};
    batch.target_tokens = kItems;
  } else if (is<models::LabelHeadOptions>(head)) {
    const data::IdMatrix labels = labels_of(batch.source);
    batch.target = data::LabelTargets{labels};
    batch.target_tokens = std::ranges::count_if(labels.ids, [](int64_t label) { return label >= 0; });
  } else {
    batch.target = data::NumberTargets{.rows = kItems, .columns = kNumbers, .numbers = {1, -2, 0.5, 0, 3, 1}};
    batch.target_tokens = kItems * kNumbers;
  }
}

data::StepBatch update_of(const Source& source, const Head& head) {
  data::StepBatch step = random_update(source.text, 1);
  data::MicroBatch& batch = step.micro_batches[0];
  const models::VectorForm* form = models::form_of(source.vectors);
  if (form != nullptr) batch.vectors = vectors_of(form->grid.value());
  if (!is<models::NoHeadOptions>(head)) set_target(batch, head);
  step.target_tokens = batch.target_tokens;
  return step;
}

std::shared_ptr<models::Model> model_of(const ArchitectureOptions& options, const Source& source, const Head& head) {
  const int64_t outputs = is<models::NoHeadOptions>(head)       ? kWords + 4
                          : is<models::NumberHeadOptions>(head) ? kNumbers
                                                                : 5;
  return models::build_model(options, {.source = source.text ? kWords + 4 : 0, .target = outputs}, 3);
}

/// One step in float32 as on the CPU, and one in bfloat16 near it.
void expect_as_on_the_cpu(const ArchitectureOptions& options, const Source& source, const Head& head) {
  const auto step = [&](at::Device device, const UpdateSettings& settings) {
    const auto model = model_of(options, source, head);
    model->to(device);
    return update_model(model, update_of(source, head), device, settings);
  };
  const UpdatedModel expected = step(at::kCPU, {.steps = 1});
  expect_near(step(compared_device(), {.steps = 1}), expected, 1e-4);
  const UpdatedModel low = step(compared_device(), {.precision = Precision::Bf16, .steps = 1});
  EXPECT_NEAR(low.loss, expected.loss, 0.03 * std::max(1.0, expected.loss));
}

TEST(HeadsAndSources, HeadsLearnAsOnTheCpu) {
  for (const Source& source : sources()) {
    for (const Head& head : heads()) {
      if (is<models::LabelHeadOptions>(head) && source.vectors != models::VectorOptions{}) continue;
      for (const auto& options : {tiny_transformer(), tiny_rnn()}) {
        SCOPED_TRACE(std::string(source.name) + ", " + head.name);
        expect_as_on_the_cpu(with_head(reading(options, source), head), source, head);
      }
    }
  }
}

void expect_near(const decltype(translation::Prediction::predicted)& found,
                 const decltype(translation::Prediction::predicted)& expected) {
  ASSERT_EQ(found.index(), expected.index());
  if (const auto* of_line = std::get_if<translation::PredictedClass>(&expected)) {
    EXPECT_EQ(std::get<translation::PredictedClass>(found).label, of_line->label);
  } else if (const auto* words = std::get_if<translation::PredictedWords>(&expected)) {
    EXPECT_EQ(std::get<translation::PredictedWords>(found).labels, words->labels);
  } else {
    const auto &numbers = std::get<translation::PredictedNumbers>(found).numbers,
               &wanted = std::get<translation::PredictedNumbers>(expected).numbers;
    ASSERT_EQ(numbers.size(), wanted.size());
    for (size_t k = 0; k < numbers.size(); ++k) EXPECT_NEAR(numbers[k], wanted[k], 1e-4);
  }
}

TEST(HeadsAndSources, PredictionsAreThoseOfTheCpu) {
  const Source text = sources().front();
  const auto words = text::numbered_words(kWords);
  const std::vector<std::string> lines = text::random_lines(6, kWords, 7);
  for (const Head& head : heads()) {
    SCOPED_TRACE(head.name);
    const auto target = is<models::NumberHeadOptions>(head)
                            ? std::shared_ptr<const text::Tokenizer>(std::make_shared<text::NumberTokenizer>(kNumbers))
                            : std::make_shared<text::LabelTokenizer>(
                                  is<models::LabelHeadOptions>(head) ? text::LabelUnit::Word : text::LabelUnit::Line,
                                  std::vector<std::string>{"a", "b", "c", "d", "e"});
    const auto on = [&](at::Device device) {
      const auto model = model_of(with_head(reading(tiny_transformer(), text), head), text, head);
      model->to(device);
      return translation::Predictor(model, {words, target}, {.workers = 1}, device).predict(lines);
    };
    const auto found = on(compared_device()), expected = on(at::kCPU);
    for (size_t i = 0; i < lines.size(); ++i) {
      expect_near(found[i].predicted, expected[i].predicted);
    }
  }
}

TEST(HeadsAndSources, WeightsOfFeatureMapsAreThoseOfTheCpu) {
  for (const Source& source : sources()) {
    if (!models::has_channel_attention(source.vectors)) continue;
    SCOPED_TRACE(source.name);
    const bool grid = *models::form_of(source.vectors)->grid;
    const search::SourceItem item{.shape = {.rows = grid ? 2 : 1, .columns = grid ? 3 : 6},
                                  .values = {1, -2, 3, 0, 2, 2, -1, 1, 0, 3, -3, 1}};
    const auto on = [&](at::Device device) {
      const auto model =
          model_of(with_head(reading(tiny_transformer(), source), heads().front()), source, heads().front());
      model->to(device);
      return translation::channel_weights(*model, item, device);
    };
    const auto found = on(compared_device()), expected = on(at::kCPU);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t layer = 0; layer < expected.size(); ++layer) {
      const auto expect_near = [](const std::vector<float>& values, const std::vector<float>& wanted) {
        ASSERT_EQ(values.size(), wanted.size());
        for (size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(values[i], wanted[i], 1e-5);
      };
      expect_near(found[layer].channels, expected[layer].channels);
      expect_near(found[layer].places, expected[layer].places);
    }
  }
}

TEST(HeadsAndSources, DecodersReadVectorsAsOnTheCpu) {
  for (const Source& source : sources()) {
    for (const auto& options : {tiny_transformer(), tiny_rnn(), tiny_convolution()}) {
      SCOPED_TRACE(source.name);
      expect_as_on_the_cpu(reading(options, source), source, kDecoder);
    }
  }
}

}  // namespace
}  // namespace heed::testing
