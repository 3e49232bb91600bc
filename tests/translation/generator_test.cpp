#include "heed/translation/generator.h"

#include <gtest/gtest.h>

#include <cmath>

#include <torch/torch.h>

#include "heed/core/error.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/lines/line_limits.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/scorer.h"
#include "support/decisive_model.h"
#include "support/message_of.h"
#include "support/tiny_tokenizer.h"

namespace heed::translation {
namespace {

constexpr int64_t kWords = 20;

models::ArchitectureOptions language_model() {
  models::ArchitectureOptions options = testing::decisive_architecture();
  options.encoder.type = models::NoEncoderOptions{};
  return options;
}

std::shared_ptr<models::Model> build(const models::ArchitectureOptions& options = language_model()) {
  auto model = models::build_model(options, {.source = 0, .target = kWords + 4}, 2);
  const torch::NoGradGuard guard;
  model->output->weight.mul_(3);
  model->output->bias[text::kEos] = 3;
  model->eval();
  return model;
}

struct Fixture {
  std::shared_ptr<models::Model> model = build();
  std::shared_ptr<const text::Tokenizer> tokenizer = text::numbered_words(kWords);
  std::vector<Completion> complete(const std::vector<std::string>& prompts, const GeneratorOptions& options = {},
                                   int64_t first = 0) const {
    return Generator(std::make_shared<EnsembleModel>(model, at::kCPU), tokenizer, options).complete(prompts, first);
  }
};

std::vector<std::string> texts_of(const std::vector<Completion>& made) {
  std::vector<std::string> texts;
  for (const Completion& completion : made) texts.push_back(completion.text);
  return texts;
}

TEST(Generator, GoesOnWithEachPromptAsItWasWritten) {
  const Fixture f;
  const std::vector<std::string> prompts{"w1  w2", "", "never-seen w3"};
  const auto made = f.complete(prompts, {.max_length = 10});
  ASSERT_EQ(made.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(made[i].text.starts_with(prompts[i])) << made[i].text;
    const std::string added = made[i].text.substr(prompts[i].size());
    EXPECT_EQ(split_whitespace(added).size(), made[i].ids.size()) << made[i].text;
  }
  EXPECT_EQ(f.complete({"w1  w2  "}, {.max_length = 10}).front().text, "w1  w2  " + made[0].text.substr(7))
      << "the space at its end is the one before the next word";
}

/// Words are written without spaces between them, as a tokenizer may go on within one.
struct GluedWords : text::WordTokenizer {
  using WordTokenizer::WordTokenizer;
  std::string decode(std::span<const int32_t> ids) const override {
    std::string line = WordTokenizer::decode(ids);
    std::erase(line, ' ');
    return line;
  }
};

TEST(Generator, ASpaceAfterThePromptGoesWhereItsLastWordGoesOn) {
  Fixture f;
  const auto words = std::static_pointer_cast<const text::WordTokenizer>(f.tokenizer);
  std::vector<std::string> entries;
  for (int32_t id = text::kEos + 1; id < words->size(); ++id) entries.push_back(words->piece(id));
  f.tokenizer = std::make_shared<GluedWords>(text::WordTokenizer::kWordsEnding, entries);
  const auto made = f.complete({"w1  w2", "w1  w2  "}, {.method = GreedyOptions{}, .max_length = 5});
  ASSERT_FALSE(made[0].ids.empty());
  EXPECT_EQ(made[1].ids, made[0].ids);
  EXPECT_EQ(made[1].text, made[0].text);
}

TEST(Generator, WhereMarksJoinTokensThePromptIsJoinedToo) {
  Fixture f;
  std::vector<std::string> entries;
  for (int64_t i = 0; i < kWords; ++i) entries.push_back("w" + std::to_string(i) + (i % 2 == 0 ? "@@" : ""));
  f.tokenizer = std::make_shared<text::WordTokenizer>(text::WordTokenizer::kTokensEnding, entries, "@@");
  for (const std::string prompt : {"w2@@ w1 new@@ w4@@", "w2@@ w1 new@@ w4@@ "}) {
    const Completion made = f.complete({prompt}, {.max_length = 5}).front();
    EXPECT_TRUE(made.text.starts_with("w2w1 neww4")) << made.text;
    EXPECT_EQ(made.text.find('@'), std::string::npos) << made.text;
  }
}

TEST(Generator, TextsDependOnSeedPlaceAndSampleOnly) {
  const Fixture f;
  const std::vector<std::string> prompts{"w1", "w2", "w1", "", "w3 w4"};
  const auto drawn = [](int64_t samples, int64_t seed = 1, int64_t batch = 64, int64_t workers = 1) {
    return GeneratorOptions{.method = SampleOptions{.seed = seed, .samples = samples},
                            .max_length = 12,
                            .batch_sentences = batch,
                            .workers = workers};
  };
  const auto texts = texts_of(f.complete(prompts, drawn(3)));
  ASSERT_EQ(texts.size(), 15U);
  EXPECT_NE(texts[0], texts[1]) << "samples of a prompt differ";
  EXPECT_NE(std::vector(texts.begin(), texts.begin() + 3), std::vector(texts.begin() + 6, texts.begin() + 9))
      << "and those of the same prompt elsewhere";
  EXPECT_EQ(texts_of(f.complete(prompts, drawn(3, 1, 1))), texts);
  EXPECT_EQ(texts_of(f.complete(prompts, drawn(3, 1, 4, 2))), texts);
  EXPECT_NE(texts_of(f.complete(prompts, drawn(3, 2))), texts);
  const auto one = texts_of(f.complete(prompts, drawn(1)));
  const auto last = texts_of(f.complete({prompts[4]}, drawn(1), 4));
  for (size_t i = 0; i < prompts.size(); ++i) EXPECT_EQ(one[i], texts[3 * i]) << "the first of several is the only one";
  EXPECT_EQ(last[0], one[4]) << "its place in the input counts, not that in the block";
}

TEST(Generator, LogProbabilitiesAreTheScorers) {
  const Fixture f;
  const Scorer scorer(f.model, {.source = nullptr, .target = f.tokenizer}, {}, at::kCPU);
  const GeneratorOptions cold{
      .method = SampleOptions{.draw = {.temperature = 0.5, .top_k = 3}}, .max_length = 8, .unknown = true};
  int complete = 0;
  const auto all_made = f.complete(std::vector<std::string>(20, "w5 w6"), cold);
  for (const Completion& made : all_made) {
    complete += made.complete ? 1 : 0;
    text::Ids all = f.tokenizer->encode("w5 w6");
    all.insert(all.end(), made.ids.begin(), made.ids.end());
    const auto scored = scorer.score({}, std::vector<text::Ids>{all}).front();
    const double of_prompt = static_cast<double>(scored.token_log_probabilities[0] + scored.token_log_probabilities[1]);
    const double of_end = made.complete ? 0 : static_cast<double>(scored.token_log_probabilities.back());
    EXPECT_NEAR(made.log_probability, scored.log_probability - of_prompt - of_end, 1e-4);
  }
  EXPECT_GT(complete, 0);
  EXPECT_LT(complete, std::ssize(all_made)) << "of a text that is cut, the end does not count";
}

TEST(Generator, APromptThatLeavesNoPositionIsAnError) {
  auto options = language_model();
  testing::decoder_stack(options).positions = nn::LearnedPositions{.max_length = 4};
  Fixture f;
  f.model = build(options);
  EXPECT_LE(f.complete({"w1 w2 w3"}).front().ids.size(), 1U);
  try {
    f.complete({"w1", "w1 w2 w3 w4"});
    FAIL();
  } catch (const LineTooLong& error) {
    EXPECT_STREQ(error.what(), "the model has positions for at most 4 target tokens, but the line needs 5");
    EXPECT_EQ(error.pair(), 1U);
  }
}

TEST(Scorer, OfALanguageModelGivesTheProbabilityOfEachLine) {
  const Fixture f;
  const Scorer scorer(f.model, {.source = nullptr, .target = f.tokenizer}, {.batch_tokens = 9}, at::kCPU);
  const std::vector<std::string> lines{"w1 w2", "", "w3 w4 w5 w6"};
  const auto scored = scorer.score({}, lines);
  ASSERT_EQ(scored.size(), 3U);
  const torch::NoGradGuard guard;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<int64_t> row{text::kBos};
    for (const int32_t id : f.tokenizer->encode(lines[i])) row.push_back(id);
    const at::Tensor input = torch::tensor(row).unsqueeze(0);
    row.push_back(text::kEos);
    const at::Tensor logits = f.model->logits(f.model->decoder->forward(input, nullptr).hidden).squeeze(0);
    const at::Tensor next = torch::tensor(std::vector(row.begin() + 1, row.end())).unsqueeze(1);
    EXPECT_NEAR(scored[i].log_probability, torch::log_softmax(logits, -1).gather(1, next).sum().item<double>(), 1e-4);
    EXPECT_EQ(scored[i].token_log_probabilities.size(), row.size() - 1);
  }
}

TEST(Scorer, OfATextGoesOnFromLineToLine) {
  const Fixture f;
  models::ArchitectureOptions options = language_model();
  options.decoder.type = models::RnnDecoderOptions{.stack = {.hidden = 16},
                                                   .initial_state = models::ZeroState{},
                                                   .attention = models::NoMemoryAttention{},
                                                   .readout = models::StateReadout{}};
  const auto model = build(options);
  const Scorer scorer(model, {.source = nullptr, .target = f.tokenizer}, {}, at::kCPU);
  const std::vector<std::string> lines{"w1 w2", "", "w3 w4 w5 w6"};
  std::vector<int64_t> whole;
  for (const std::string& line : lines) {
    if (line.empty()) continue;  // as in training
    whole.push_back(text::kBos);
    for (const int32_t id : f.tokenizer->encode(line)) whole.push_back(id);
    whole.push_back(text::kEos);
  }
  const torch::NoGradGuard guard;
  const at::Tensor row = torch::tensor(whole);
  const at::Tensor hidden = model->decoder->forward(row.unsqueeze(0), nullptr).hidden.squeeze(0);
  const at::Tensor expected = torch::log_softmax(model->logits(hidden.slice(0, 0, -1)), -1)
                                  .gather(1, row.slice(0, 1).unsqueeze(1))
                                  .masked_select(row.slice(0, 1).unsqueeze(1).ne(text::kBos));
  std::vector<models::CellState> carried;
  std::vector<float> found;
  for (const std::string& line : lines) {  // block by block, as the program reads
    const auto scored = scorer.score_text(std::span(&line, 1), carried).front();
    found.insert(found.end(), scored.token_log_probabilities.begin(), scored.token_log_probabilities.end());
  }
  EXPECT_TRUE(torch::allclose(torch::tensor(found), expected, 1e-4, 1e-5));
  std::vector<models::CellState> none;
  const Scorer of_transformer(f.model, {.source = nullptr, .target = f.tokenizer}, {}, at::kCPU);
  EXPECT_EQ(testing::message_of<ConfigError>([&] { of_transformer.score_text(lines, none); }),
            "`context` must be sentence, except for a language model with a recurrent decoder that has no memory tape");
}

}  // namespace
}  // namespace heed::translation
