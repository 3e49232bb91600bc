#include "heed_torch/nn/attention/score.h"

#include <cmath>
#include <type_traits>
#include <utility>

#include <ATen/ATen.h>

#include "heed_torch/nn/attention/idf_table.h"
#include "heed_torch/nn/fused/additive_scores.h"
#include "heed_torch/nn/products/memory_product.h"

namespace heed::nn {
namespace {

/// A score that depends on the query, the keys and, if used, coverage.
template <class Formula>
class FormulaPass : public ScorePass {
 public:
  explicit FormulaPass(Formula formula) : formula_(std::move(formula)) {}
  Tensor operator()(const Tensor& query, const Tensor& coverage) const override {
    if constexpr (std::is_invocable_v<Formula, Tensor, Tensor>) {
      return formula_(query, coverage);
    } else {
      return formula_(query);
    }
  }

 private:
  Formula formula_;
};
template <class Formula>
std::unique_ptr<ScorePass> pass_of(Formula formula) {
  return std::make_unique<FormulaPass<Formula>>(std::move(formula));
}

class DotAttention : public AttentionScore {
 public:
  explicit DotAttention(double factor) : factor_(factor) {}
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    return pass_of([products = MemoryProduct(keys.transpose(1, 2)), factor = factor_](const Tensor& query) {
      const Tensor scores = products(query);
      return factor == 1 ? scores : scores * factor;
    });
  }

 private:
  double factor_;
};

class CosineAttention : public AttentionScore, public Initialized {
 public:
  explicit CosineAttention(const CosineScore& options)
      : scale(register_parameter("scale", at::ones({1}))), initial_(options.initial_scale) {}
  Tensor keys(const Tensor& states, const Tensor&) override { return unit(states); }
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    return pass_of([products = MemoryProduct(keys.transpose(1, 2)), scale = scale](const Tensor& query) {
      return products(unit(query)) * scale;
    });
  }
  void initialize(Initializer& values) override { values.constant("scale", scale, initial_); }

  Tensor scale;  // g [1]

 private:
  static Tensor unit(const Tensor& x) { return x / x.norm(2, -1, /*keepdim=*/true).clamp_min(1e-6); }
  double initial_;
};

class GeneralAttention : public AttentionScore, public Initialized {
 public:
  GeneralAttention(const GeneralScore& options, const ScoreShape& shape)
      : key(register_module("key", Linear(LinearOptions{.in = shape.d_memory, .out = shape.d_query, .bias = false}))),
        fixed_(options.scale == ScoreScale::Fixed ? root(shape) : 1),
        initial_(root(shape)) {
    if (options.scale == ScoreScale::Learned) scale = register_parameter("scale", at::ones({1}));
  }
  Tensor keys(const Tensor& states, const Tensor&) override {
    const Tensor keys = key(states);
    return fixed_ == 1 ? keys : keys * fixed_;
  }
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    return pass_of(MemoryProduct((scale.defined() ? keys * scale : keys).transpose(1, 2)));
  }
  void initialize(Initializer& values) override {
    if (scale.defined()) values.constant("scale", scale, initial_);
  }

  Linear key;    // W
  Tensor scale;  // g [1], learned only

 private:
  static double root(const ScoreShape& shape) { return 1 / std::sqrt(static_cast<double>(shape.d_query)); }
  double fixed_, initial_;
};

class AdditiveAttention : public AttentionScore, public Initialized {
 public:
  AdditiveAttention(const AdditiveScore& options, const ScoreShape& shape) {
    const int64_t hidden = options.hidden.value_or(shape.d_query);
    query = register_module("query", Linear(LinearOptions{.in = shape.d_query, .out = hidden, .bias = false}));
    key = register_module("key", Linear(LinearOptions{.in = shape.d_memory, .out = hidden}));
    if (shape.d_coverage > 0) {
      coverage =
          register_module("coverage", Linear(LinearOptions{.in = shape.d_coverage, .out = hidden, .bias = false}));
    }
    vector = register_parameter("vector", at::zeros({1, hidden}));
    if (options.normalized) length = register_parameter("length", at::ones({1}));
  }
  Tensor keys(const Tensor& states, const Tensor&) override { return key(states); }
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    const Tensor v = length.defined() ? length * vector / vector.norm() : vector;
    if (!coverage) {
      return pass_of([query = StepLinear(query), scores = AdditiveScores(keys, v)](const Tensor& states) {
        return scores(query(states));
      });
    }
    return pass_of([keys, v, covered = StepLinear(coverage), query = StepLinear(query)](const Tensor& states,
                                                                                        const Tensor& looked_at) {
      const Tensor sums = query(states).unsqueeze(2) + keys.unsqueeze(1) + covered(looked_at);
      return at::matmul(sums.tanh(), v.t()).squeeze(-1);  // the tanh is [S, rows, source, hidden]
    });
  }
  void initialize(Initializer& values) override {
    values.weight("vector", vector);
    if (length.defined()) values.constant("length", length, 1 / std::sqrt(static_cast<double>(vector.size(1))));
  }

  Linear query{nullptr};     // W
  Linear key{nullptr};       // U, b
  Linear coverage{nullptr};  // V
  Tensor vector;             // v [1, hidden]
  Tensor length;             // g [1], normalized only
};

class LocationAttention : public AttentionScore {
 public:
  LocationAttention(const LocationScore& options, int64_t d_query)
      : position(register_module("position",
                                 Linear(LinearOptions{.in = d_query, .out = options.max_source, .bias = false}))) {}
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    const int64_t source = keys.size(1);
    const int64_t scored = position->options().out;
    TORCH_CHECK(source <= scored, "a source of ", source, " tokens is longer than the ", scored,
                " positions that have a score");
    return pass_of([source, position = StepLinear(position)](const Tensor& query) {
      return position(query).narrow(-1, 0, source);
    });
  }

  Linear position;  // W [max_source, d_query]
};

class UniformAttention : public AttentionScore {
 public:
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    return pass_of([source = keys.size(1)](const Tensor& query) {
      return at::zeros({query.size(0), query.size(1), source}, query.options());
    });
  }
};

class StaticAttention : public AttentionScore, public IdfTable {
 public:
  StaticAttention(int64_t vocabulary, bool counts) : counts_(counts) { register_table(*this, vocabulary); }
  Tensor keys(const Tensor& states, const Tensor& tokens) override {
    Tensor weights = idf_.index_select(0, tokens.flatten()).view(tokens.sizes());
    if (counts_) weights = weights * tokens.unsqueeze(2).eq(tokens.unsqueeze(1)).sum(2);
    // A token that occurs in every line has weight 0. In a sentence of such tokens only, all weights are equal.
    return weights.clamp_min(1e-9).log().unsqueeze(2).to(states.scalar_type());  // [S, source, 1]
  }
  std::unique_ptr<ScorePass> begin(const Tensor& keys) override {
    return pass_of([scores = keys.transpose(1, 2)](const Tensor& query) {
      return scores.expand({query.size(0), query.size(1), -1});
    });
  }

 private:
  bool counts_;  // whether to multiply by the token's count in the sentence
};

struct ScoreMaker {
  ScoreShape shape;
  using Made = std::shared_ptr<AttentionScore>;

  Made operator()(const DotScore&) const { return std::make_shared<DotAttention>(1); }
  Made operator()(const ScaledDotScore&) const {
    return std::make_shared<DotAttention>(1 / std::sqrt(static_cast<double>(shape.d_query)));
  }
  Made operator()(const CosineScore& options) const { return std::make_shared<CosineAttention>(options); }
  Made operator()(const GeneralScore& options) const { return std::make_shared<GeneralAttention>(options, shape); }
  Made operator()(const AdditiveScore& options) const { return std::make_shared<AdditiveAttention>(options, shape); }
  Made operator()(const LocationScore& options) const {
    return std::make_shared<LocationAttention>(options, shape.d_query);
  }
  Made operator()(const UniformScore&) const { return std::make_shared<UniformAttention>(); }
  Made operator()(const IdfScore&) const { return std::make_shared<StaticAttention>(shape.vocabulary, false); }
  Made operator()(const TfIdfScore&) const { return std::make_shared<StaticAttention>(shape.vocabulary, true); }
};

}  // namespace

std::shared_ptr<AttentionScore> make_attention_score(const ScoreOptions& options, const ScoreShape& shape) {
  TORCH_CHECK(!needs_equal_widths(options) || shape.d_query == shape.d_memory,
              "this score needs queries as wide as the memory, ", shape.d_memory, ", found ", shape.d_query);
  return std::visit(ScoreMaker{shape}, options);
}

}  // namespace heed::nn
