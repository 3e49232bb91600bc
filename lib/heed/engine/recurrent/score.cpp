#include "heed/engine/recurrent/score.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "heed/kernels/attention_step.h"

namespace heed::engine {
namespace {

double length_of(const float* x, int64_t d) {
  double squares = 0;
  for (int64_t i = 0; i < d; ++i) squares += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return std::sqrt(squares);
}

float read_number(const ScoreSource& source, const char* name) {
  return source.weights.get(source.name + name).numbers[0];
}

Matrix read_projection(const ScoreSource& source, const char* name) {
  return read_linear(source.weights, source.name + name, source.precision);
}

class DotSourceScore : public SourceScore {
 public:
  DotSourceScore(const ScoreSource& source, double factor) : d_(source.d_query), factor_(static_cast<float>(factor)) {}
  void score(const float* asked, const ScoredPositions& positions, float* scores) const override {
    kernels::dot_scores(asked, d_, factor_, positions.keys, positions.places, positions.count, scores);
  }

 private:
  int64_t d_;
  float factor_;
};

class CosineSourceScore : public SourceScore {
 public:
  explicit CosineSourceScore(const ScoreSource& source) : d_(source.d_query), scale_(read_number(source, ".scale")) {}
  int64_t d_key() const override { return d_; }
  void make_keys(const Sources&, const Rows& states, Scratch&, Rows& keys) const override { make_units(states, keys); }
  const Rows* ask(const Rows& queries, Scratch& scratch) const override {
    make_units(queries, scratch.asked);
    return &scratch.asked;
  }
  void score(const float* asked, const ScoredPositions& positions, float* scores) const override {
    kernels::dot_scores(asked, d_, scale_, positions.keys, positions.places, positions.count, scores);
  }

 private:
  void make_units(const Rows& x, Rows& units) const {
    units.resize(x.count(), d_);
    for (int64_t row = 0; row < x.count(); ++row) {
      const auto length = static_cast<float>(std::max(length_of(x.row(row), d_), 1e-6));
      for (int64_t i = 0; i < d_; ++i) units.row(row)[i] = x.row(row)[i] / length;
    }
  }

  int64_t d_;
  float scale_;
};

class GeneralSourceScore : public SourceScore {
 public:
  GeneralSourceScore(const nn::GeneralScore& options, const ScoreSource& source)
      : key_(read_projection(source, ".key")) {
    if (options.scale == nn::ScoreScale::Learned) factor_ = read_number(source, ".scale");
    if (options.scale == nn::ScoreScale::Fixed) {
      factor_ = static_cast<float>(1 / std::sqrt(static_cast<double>(source.d_query)));
    }
  }
  int64_t d_key() const override { return key_.out(); }
  void make_keys(const Sources&, const Rows& states, Scratch& scratch, Rows& keys) const override {
    scratch.operand.take(states);
    key_.multiply(scratch.operand, keys);
  }
  void score(const float* asked, const ScoredPositions& positions, float* scores) const override {
    kernels::dot_scores(asked, key_.out(), factor_, positions.keys, positions.places, positions.count, scores);
  }

 private:
  Matrix key_;
  float factor_ = 1;
};

class AdditiveSourceScore : public SourceScore {
 public:
  AdditiveSourceScore(const nn::AdditiveScore& options, const ScoreSource& source)
      : query_(read_projection(source, ".query")),
        key_(read_projection(source, ".key")),
        coverage_(read_projection(source, ".coverage")) {
    const auto numbers = source.weights.get(source.name + ".vector").numbers;
    vector_.assign(numbers.begin(), numbers.end());
    if (!options.normalized) return;
    const double factor = static_cast<double>(read_number(source, ".length")) / length_of(vector_.data(), key_.out());
    for (float& number : vector_) number = static_cast<float>(number * factor);
  }
  int64_t d_key() const override { return key_.out(); }
  void make_keys(const Sources&, const Rows& states, Scratch& scratch, Rows& keys) const override {
    scratch.operand.take(states);
    key_.multiply(scratch.operand, keys);
  }
  const Rows* ask(const Rows& queries, Scratch& scratch) const override {
    scratch.operand.take(queries);
    query_.multiply(scratch.operand, scratch.asked);
    return &scratch.asked;
  }
  void score(const float* asked, const ScoredPositions& positions, float* scores) const override {
    kernels::additive_scores({.query = asked,
                              .vector = vector_.data(),
                              .d = key_.out(),
                              .added = positions.covered,
                              .distance = positions.distance},
                             positions.keys, positions.places, positions.count, scores);
  }
  const Matrix* coverage() const override { return coverage_.empty() ? nullptr : &coverage_; }

 private:
  Matrix query_, key_, coverage_;
  std::vector<float> vector_;
};

class LocationSourceScore : public SourceScore {
 public:
  explicit LocationSourceScore(const ScoreSource& source) : position_(read_projection(source, ".position")) {}
  const Rows* ask(const Rows& queries, Scratch& scratch) const override {
    scratch.operand.take(queries);
    position_.multiply(scratch.operand, scratch.asked);
    return &scratch.asked;
  }
  void score(const float* asked, const ScoredPositions& positions, float* scores) const override {
    std::copy_n(asked + positions.first, positions.count, scores);
  }

 private:
  Matrix position_;
};

class UniformSourceScore : public SourceScore {
 public:
  void score(const float*, const ScoredPositions& positions, float* scores) const override {
    std::fill_n(scores, positions.count, 0.0f);
  }
};

/// idf and tf-idf: the key is the score itself.
class StaticSourceScore : public SourceScore {
 public:
  StaticSourceScore(const ScoreSource& source, bool counts)
      : idf_(source.weights.get(source.name + ".idf").numbers), counts_(counts) {}
  int64_t d_key() const override { return 1; }
  void make_keys(const Sources& sources, const Rows&, Scratch&, Rows& keys) const override {
    keys.resize(sources.size(), 1);
    for (int64_t sentence = 0; sentence < sources.sentences(); ++sentence) {
      const auto begin = sources.tokens.begin() + sources.begins[static_cast<size_t>(sentence)];
      const auto end = begin + sources.length(sentence);
      for (auto token = begin; token != end; ++token) {
        float weight = idf_[static_cast<size_t>(*token)];
        if (counts_) weight *= static_cast<float>(std::count(begin, end, *token));
        keys.row(token - sources.tokens.begin())[0] = std::log(std::max(weight, 1e-9f));
      }
    }
  }
  void score(const float*, const ScoredPositions& positions, float* scores) const override {
    for (int64_t j = 0; j < positions.count; ++j) scores[j] = positions.keys[positions.places[j]];
  }

 private:
  std::span<const float> idf_;
  bool counts_;  // multiply by the number of times the token is in the sentence
};

struct SourceScoreMaker {
  const ScoreSource& source;
  using Made = std::unique_ptr<SourceScore>;

  Made operator()(const nn::DotScore&) const { return std::make_unique<DotSourceScore>(source, 1); }
  Made operator()(const nn::ScaledDotScore&) const {
    return std::make_unique<DotSourceScore>(source, 1 / std::sqrt(static_cast<double>(source.d_query)));
  }
  Made operator()(const nn::CosineScore&) const { return std::make_unique<CosineSourceScore>(source); }
  Made operator()(const nn::GeneralScore& o) const { return std::make_unique<GeneralSourceScore>(o, source); }
  Made operator()(const nn::AdditiveScore& o) const { return std::make_unique<AdditiveSourceScore>(o, source); }
  Made operator()(const nn::LocationScore&) const { return std::make_unique<LocationSourceScore>(source); }
  Made operator()(const nn::UniformScore&) const { return std::make_unique<UniformSourceScore>(); }
  Made operator()(const nn::IdfScore&) const { return std::make_unique<StaticSourceScore>(source, false); }
  Made operator()(const nn::TfIdfScore&) const { return std::make_unique<StaticSourceScore>(source, true); }
};

}  // namespace

bool has_source_score(const nn::ScoreOptions& options) {
  return std::visit(
      []<class Score>(const Score& score) { return requires(const SourceScoreMaker& maker) { maker(score); }; },
      options);
}

std::unique_ptr<SourceScore> make_source_score(const nn::ScoreOptions& options, const ScoreSource& source) {
  const auto make = [&]<class Score>(const Score& score) -> std::unique_ptr<SourceScore> {
    const SourceScoreMaker maker{source};
    if constexpr (requires { maker(score); }) {
      return maker(score);
    } else {
      return nullptr;
    }
  };
  return std::visit(make, options);
}

}  // namespace heed::engine
