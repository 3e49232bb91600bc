// A BeamModel whose scores are a plain function of (source, prefix): for tests of search without a network. It keeps
// the prefix of every hypothesis itself, so a wrong select or join shows as a wrong score.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "heed/core/error.h"
#include "heed/core/random.h"
#include "heed/search/beam_model.h"
#include "heed/search/best_of_row.h"
#include "heed/text/tokenizer.h"

namespace heed::search {

using Prefix = std::vector<int64_t>;
/// The logits of the next token; prefix: the tokens so far, bos left out; source: ids, eos left out.
using Scorer = std::function<std::vector<float>(const Prefix& source, const Prefix& prefix)>;

class FakeBeamModel : public BeamModel {
 public:
  FakeBeamModel(int64_t vocab_size, Scorer scorer) : vocab_size_(vocab_size), scorer_(std::move(scorer)) {}

  int64_t vocab_size() const override { return vocab_size_; }
  int64_t max_length() const override { return longest; }

  void start(std::span<const SourceSentence> sources, int64_t beam, bool attention) override {
    beam_ = static_cast<size_t>(beam);
    attention_ = attention;
    sources_.clear();
    prefixes_.clear();
    join(sources);
    joins = 0;
    ++starts;
  }

  void step(const StepRequest& request, Continuations& found) override {
    ASSERT_EQ(request.tokens.size(), prefixes_.size());
    ASSERT_EQ(request.ends.size(), sources_.size());
    ++steps;
    for (size_t i = 0; i < prefixes_.size(); ++i) prefixes_[i].push_back(request.tokens[i]);
    if (attention_ && !has_attention) throw ConfigError("this model has no attention to show");
    if (attention_) keep_attention(found);
    const auto count = prefixes_.size() * static_cast<size_t>(request.count);
    found.log_probabilities.assign(count, kNever);
    found.tokens.assign(count, text::kPad);
    found.ends_by_itself.assign(prefixes_.size(), 0);
    found.asked.assign(request.asked ? request.asked->all().size() : 0, kNever);
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      const bool live = request.live.empty() || static_cast<int64_t>(i % beam_) < request.live[i / beam_];
      if (live) answer(i, request, found);
    }
  }

  void select(std::span<const int64_t> sentences, std::span<const int32_t> parents) override {
    EXPECT_EQ(parents.size(), sentences.size() * beam_);
    ++selects;
    std::vector<Prefix> sources, prefixes;
    for (size_t i = 0; i < sentences.size(); ++i) {
      const auto sentence = static_cast<size_t>(sentences[i]);
      sources.push_back(sources_.at(sentence));
      for (size_t b = 0; b < beam_; ++b) {
        prefixes.push_back(prefixes_.at(sentence * beam_ + static_cast<size_t>(parents[i * beam_ + b])));
      }
    }
    sources_ = std::move(sources);
    prefixes_ = std::move(prefixes);
  }

  void join(std::span<const SourceSentence> sources) override {
    ++joins;
    for (const SourceSentence& source : sources) sources_.emplace_back(source.ids.begin(), source.ids.end());
    prefixes_.resize(sources_.size() * beam_);
    most_sentences = std::max(most_sentences, std::ssize(sources_));
  }

  int64_t longest = BeamModel::max_length();
  bool has_attention = true;
  int64_t starts = 0, joins = 0, selects = 0, steps = 0, most_sentences = 0;

 private:
  static constexpr float kNever = -std::numeric_limits<float>::infinity();

  void answer(size_t i, const StepRequest& request, Continuations& found) const {
    const Prefix prefix(prefixes_[i].begin() + 1, prefixes_[i].end());
    std::vector<float> logits = scorer_(sources_[i / beam_], prefix);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    const auto logsumexp = static_cast<float>(std::log(sum));
    if (request.rows != nullptr) {
      for (float& logit : logits) logit -= logsumexp;
      return (*request.rows)(i, logits);
    }
    const auto logit_of = [&](int32_t token) -> float& { return logits[static_cast<size_t>(token)]; };
    if (request.asked != nullptr) {
      size_t place = request.asked->begin(i);
      for (const int32_t token : request.asked->of(i)) found.asked[place++] = logit_of(token) - logsumexp;
    }
    const float of_end = logit_of(text::kEos);
    logit_of(text::kPad) = logit_of(text::kBos) = kNever;
    if (!request.unknown) logit_of(text::kUnk) = kNever;
    if (request.ends[i / beam_] == End::Barred) logit_of(text::kEos) = kNever;
    if (request.barred != nullptr) {
      for (const int32_t token : request.barred->of(i)) logit_of(token) = kNever;
    }
    if (request.ends[i / beam_] == End::Forced) {
      found.ends_by_itself[i] = std::ranges::max_element(logits) - logits.begin() == text::kEos ? 1 : 0;
      std::ranges::fill(logits, kNever);
      logit_of(text::kEos) = of_end;
    }
    const auto count = static_cast<size_t>(request.count);
    std::vector<int64_t> places(count);
    const auto values = std::span(found.log_probabilities).subspan(i * count, count);
    best_of_row(logits, values, places);
    for (float& value : values) value -= logsumexp;
    for (size_t j = 0; j < count; ++j) found.tokens[i * count + j] = static_cast<int32_t>(places[j]);
  }

  /// One source position each: that of the step, as far as there are any.
  void keep_attention(Continuations& found) const {
    size_t columns = 0;
    for (const Prefix& source : sources_) columns = std::max(columns, source.size() + 1);
    found.columns = static_cast<int64_t>(columns);
    found.attention.assign(prefixes_.size() * columns, 0);
    for (size_t i = 0; i < prefixes_.size(); ++i) {
      found.attention[i * columns + std::min(prefixes_[i].size() - 1, sources_[i / beam_].size())] = 1;
    }
  }

  int64_t vocab_size_;
  Scorer scorer_;
  size_t beam_ = 1;
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
