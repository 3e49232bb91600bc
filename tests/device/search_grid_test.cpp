// Search, scores, alignments and generated text on the fake device and on the CPU.
#include <gtest/gtest.h>

#include "device/networks.h"
#include "heed/core/files/atomic_file.h"
#include "heed/translation/generator.h"
#include "heed/translation/translator.h"
#include "heed_torch/translation/aligner.h"
#include "heed_torch/translation/ensemble_model.h"
#include "heed_torch/translation/scorer.h"
#include "support/temporary_directory.h"
#include "support/tiny_tokenizer.h"

namespace heed::testing {
namespace {

using translation::Translation;

const search::SearchOptions kSearch{.beam = 3, .max_length_factor = 1, .max_length_constant = 3};
// So that sentences join a search that has begun.
const translation::TranslatorOptions kBatches{.batch_sentences = 2, .refill = 0.3, .workers = 1};

struct SearchGrid : ::testing::Test {
  const std::shared_ptr<const text::Tokenizer> words = text::numbered_words(kWords);
  const text::Tokenizers tokenizers{words, words};
  const std::vector<std::string> lines = text::random_lines(4, kWords, 5);
  const std::vector<std::string> references = text::random_lines(4, kWords, 5, 2);

  std::vector<Translation> translate(const models::ArchitectureOptions& options, at::Device device,
                                     const search::SearchOptions& search = kSearch) const {
    return translation::Translator(std::make_shared<translation::EnsembleModel>(make_model(options, device), device),
                                   tokenizers, search, kBatches,
                                   {.token_scores = true, .attention = has_attention(options)})
        .translate(translation::source_lines(lines));
  }
};

void expect_same(const std::vector<Translation>& found, const std::vector<Translation>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].text, expected[i].text);
    EXPECT_NEAR(found[i].score, expected[i].score, 1e-3);
  }
}

TEST_F(SearchGrid, TranslationsAreThoseOfTheCpu) {
  for (const auto& [name, options] : translation_networks()) {
    SCOPED_TRACE(name);
    expect_same(translate(options, compared_device()), translate(options, at::kCPU));
  }
}

TEST_F(SearchGrid, LeastLengthsAndLimitsAreThoseOfTheCpu) {
  for (const auto& options : {tiny_transformer(), tiny_rnn(), tiny_convolution()}) {
    search::SearchOptions search = kSearch;
    search.min_length = 4;
    search.max_length_constant = 1;
    expect_same(translate(options, compared_device(), search), translate(options, at::kCPU, search));
  }
}

TEST_F(SearchGrid, ConstraintsAreMetAsOnTheCpu) {
  const TemporaryDirectory directory;
  write_file(directory.file("terms"), "w3\tw5 w6\n");
  write_file(directory.file("never"), "w7\nw8 w9\n");
  search::SearchOptions search = kSearch;
  search.no_repeat_ngram = 1;
  for (const auto& options : {tiny_transformer(), tiny_rnn()}) {
    const auto on = [&](at::Device device) {
      const auto constraints = std::make_shared<translation::TranslationConstraints>(words);
      constraints->read_terms(directory.file("terms"));
      constraints->read_forbidden(directory.file("never"));
      translation::Translator translator(
          std::make_shared<translation::EnsembleModel>(make_model(options, device), device), tokenizers, search,
          kBatches);
      translator.constrain(constraints);
      std::vector<translation::SourceLine> sources;
      for (const std::string& line : lines) sources.push_back({.text = line + " w3", .prefix = "w2"});
      return translator.translate(sources);
    };
    const auto found = on(compared_device());
    expect_same(found, on(at::kCPU));
    for (const Translation& translation : found) {
      EXPECT_TRUE(translation.text.starts_with("w2")) << translation.text;
      EXPECT_NE(translation.text.find("w5 w6"), std::string::npos) << translation.text;
    }
  }
}

TEST_F(SearchGrid, ScoresAreThoseOfTheCpu) {
  for (const auto& [name, options] : translation_networks()) {
    SCOPED_TRACE(name);
    const auto on = [&, &chosen = options](at::Device device) {
      return translation::Scorer(make_model(chosen, device), tokenizers, {.workers = 1}, device)
          .score(lines, references);
    };
    const auto found = on(compared_device()), expected = on(at::kCPU);
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-3);
    }
  }
}

TEST_F(SearchGrid, AlignmentsAreThoseOfTheCpu) {
  for (const auto& [name, options] : translation_networks()) {
    if (!has_attention(options)) continue;
    SCOPED_TRACE(name);
    const auto on = [&, &chosen = options](at::Device device) {
      return translation::Aligner(make_model(chosen, device), tokenizers, device, {.shown = {.all_heads = true}})
          .align(lines, references);
    };
    const auto found = on(compared_device()), expected = on(at::kCPU);
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_EQ(found[i].weights.size(), expected[i].weights.size());
      for (size_t t = 0; t < found[i].weights.size(); ++t) {
        for (size_t s = 0; s < found[i].weights[t].size(); ++s) {
          EXPECT_NEAR(found[i].weights[t][s], expected[i].weights[t][s], 1e-4);
        }
      }
    }
  }
}

TEST_F(SearchGrid, LanguageModelsCompleteAndScoreAsOnTheCpu) {
  for (const auto& [name, options] : language_networks()) {
    SCOPED_TRACE(name);
    const auto complete = [&, &chosen = options](at::Device device) {
      return translation::Generator(std::make_shared<translation::EnsembleModel>(make_model(chosen, device), device),
                                    words, {.max_length = 5, .batch_sentences = 2, .workers = 1})
          .complete(lines);
    };
    const auto score = [&, &chosen = options](at::Device device) {
      return translation::Scorer(make_model(chosen, device), {nullptr, words}, {.workers = 1}, device).score({}, lines);
    };
    const auto texts = complete(compared_device()), expected = complete(at::kCPU);
    const auto scores = score(compared_device()), expected_scores = score(at::kCPU);
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(texts[i].text, expected[i].text);
      EXPECT_NEAR(scores[i].log_probability, expected_scores[i].log_probability, 1e-3);
    }
  }
}

TEST_F(SearchGrid, AContinuousTextIsScoredAsOnTheCpu) {
  const models::ArchitectureOptions options = language_networks()[1].options;
  const auto on = [&](at::Device device) {
    std::vector<models::CellState> carried;
    return translation::Scorer(make_model(options, device), {nullptr, words}, {.workers = 1}, device)
        .score_text(lines, carried);
  };
  const auto found = on(compared_device()), expected = on(at::kCPU);
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-3);
  }
}

TEST_F(SearchGrid, EnsemblesAndFusionAreThoseOfTheCpu) {
  const auto on = [&](at::Device device) {
    const auto model = std::make_shared<translation::EnsembleModel>(make_model(tiny_transformer(), device), device);
    model->add_model(make_model(tiny_rnn(), device), tokenizers, tokenizers, "ensemble");
    model->fuse({.model = make_model(language_networks()[0].options, device), .tokenizer = words, .weight = 0.3},
                tokenizers);
    return translation::Translator(model, tokenizers, kSearch, kBatches).translate(translation::source_lines(lines));
  };
  expect_same(on(compared_device()), on(at::kCPU));
}

}  // namespace
}  // namespace heed::testing
