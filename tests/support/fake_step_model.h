// A StepModel whose scores are a plain function of (source, prefix): for tests of search without a network. It keeps
// the prefix of every hypothesis itself, so a wrong select or join shows as a wrong score.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "heed/core/random.h"
#include "heed/text/tokenizer.h"
#include "heed_torch/search/row_best.h"
#include "heed_torch/search/step_model.h"

namespace heed::search {

using Prefix = std::vector<int64_t>;
/// The logits of the next token; prefix: the tokens so far, bos left out; source: ids, eos left out.
using Scorer = std::function<std::vector<float>(const Prefix& source, const Prefix& prefix)>;

class FakeStepModel : public StepModel {
 public:
  FakeStepModel(int64_t vocab_size, Scorer scorer) : vocab_size_(vocab_size), scorer_(std::move(scorer)) {}

  int64_t vocab_size() const override { return vocab_size_; }
  int64_t max_length() const override { return longest; }

  void start(const StepSource& source, int64_t beam, bool attention) override {
    beam_ = beam;
    attention_ = attention;
    sources_.clear();
    prefixes_.clear();
    join(source);
    joins = 0;
    ++starts;
  }

  StepScores step(const at::Tensor& tokens) override {
    EXPECT_EQ(tokens.sizes(), (std::vector<int64_t>{static_cast<int64_t>(sources_.size()), beam_}));
    ++steps;
    std::vector<at::Tensor> rows;
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      const auto beam = static_cast<int64_t>(i) % beam_;
      const auto sentence = static_cast<int64_t>(i) / beam_;
      prefixes_[i].push_back(tokens[sentence][beam].item<int64_t>());
      const Prefix prefix(prefixes_[i].begin() + 1, prefixes_[i].end());
      rows.push_back(torch::tensor(scorer_(sources_[static_cast<size_t>(sentence)], prefix)));
    }
    StepScores scores;
    scores.logits = torch::stack(rows).view({-1, beam_, vocab_size_});
    scores.logsumexp = logsumexp(scores.logits);
    if (attention_ && has_attention) scores.attention = attention();
    return scores;
  }

  void select(const at::Tensor& sentences, const at::Tensor& parents) override {
    EXPECT_EQ(parents.sizes(), (std::vector<int64_t>{sentences.size(0), beam_}));
    ++selects;
    std::vector<Prefix> sources, prefixes;
    for (int64_t i = 0; i < sentences.size(0); ++i) {
      const auto sentence = sentences[i].item<int64_t>();
      sources.push_back(sources_.at(static_cast<size_t>(sentence)));
      for (int64_t b = 0; b < beam_; ++b) {
        prefixes.push_back(prefixes_.at(static_cast<size_t>(sentence * beam_ + parents[i][b].item<int64_t>())));
      }
    }
    sources_ = std::move(sources);
    prefixes_ = std::move(prefixes);
  }

  void join(const StepSource& source) override {
    ++joins;
    for (int64_t i = 0; i < source.sentences(); ++i) {
      Prefix ids;
      for (int64_t j = 0; source.tokens[i][j].item<int64_t>() != text::kEos; ++j)
        ids.push_back(source.tokens[i][j].item<int64_t>());
      sources_.push_back(ids);
      prefixes_.resize(prefixes_.size() + static_cast<size_t>(beam_));
    }
    most_sentences = std::max(most_sentences, static_cast<int64_t>(sources_.size()));
  }

  int64_t longest = StepModel::max_length();
  bool has_attention = true;
  int64_t starts = 0, joins = 0, selects = 0, steps = 0, most_sentences = 0;

 private:
  /// One source position each: that of the step, as far as there are any.
  at::Tensor attention() const {
    size_t columns = 0;
    for (const Prefix& source : sources_) columns = std::max(columns, source.size() + 1);
    at::Tensor weights = torch::zeros({static_cast<int64_t>(sources_.size()), beam_, static_cast<int64_t>(columns)});
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      const auto sentence = static_cast<int64_t>(i) / beam_;
      const auto last = sources_[static_cast<size_t>(sentence)].size();
      const auto column = static_cast<int64_t>(std::min(prefixes_[i].size() - 1, last));
      weights[sentence][static_cast<int64_t>(i) % beam_][column] = 1;
    }
    return weights;
  }

  int64_t vocab_size_;
  Scorer scorer_;
  int64_t beam_ = 0;
  bool attention_ = false;
  std::vector<Prefix> sources_;
  std::vector<Prefix> prefixes_;  // [S * beam], bos included
};

/// Scores drawn at random from (source, prefix): no two prefixes alike, ends after a few tokens.
inline Scorer random_scorer(int64_t vocab_size, uint64_t seed = 1, float eos_logit = 0.5F) {
  return [=](const Prefix& source, const Prefix& prefix) {
    uint64_t key = seed;
    for (const int64_t id : source) key = stream_key(key, Purpose::Test, static_cast<uint64_t>(id));
    for (const int64_t id : prefix) key = stream_key(key, Purpose::Test, static_cast<uint64_t>(id), 1);
    RandomStream random(key);
    std::vector<float> logits;
    for (int64_t i = 0; i < vocab_size; ++i) logits.push_back(static_cast<float>(3 * random.uniform()));
    logits[static_cast<size_t>(text::kEos)] += eos_logit;
    return logits;
  };
}

}  // namespace heed::search
