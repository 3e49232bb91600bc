// How well a decoder's state s (the query) fits a source position's state h (the key): the scores of Luong et al. 2015
// (https://arxiv.org/abs/1508.04025, equation 8), Bahdanau et al. 2015 (https://arxiv.org/abs/1409.0473, appendix
// A.1.2) and their kin.
//   dot         s . h
//   scaled-dot  s . h / sqrt(d)                          Vaswani et al. 2017
//   cosine      g s . h / (|s| |h|), g learned           Graves et al. 2014, https://arxiv.org/abs/1410.5401
//   general     s . (W h)
//   additive    v . tanh(W s + U h + b)                  Bahdanau's; Luong's concat is the same without b
//   location    (W s)_j for position j: the content of the source is not looked at
// and weights that are not learned, as baselines (nn/attention/idf_table.h):
//   uniform     0 for every position
//   idf         ln idf(w) for the position's token w: softmax makes weights idf(w) / sum of idf
//   tf-idf      ln (n idf(w)), n how often w is in the sentence
// normalized additive attention (Salimans and Kingma 2016, https://arxiv.org/abs/1602.07868, as TensorFlow's NMT had
// it) takes g v / |v| for v.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include <torch/nn/module.h>

#include "heed/core/options.h"
#include "heed/nn/initialization.h"
#include "heed/nn/linear.h"
#include "heed/nn/products/step_linear.h"

namespace heed::nn {

struct DotScore {
  static constexpr std::string_view kName = "dot";
  bool operator==(const DotScore&) const = default;
};
inline void describe(DotScore&, OptionVisitor&) {}

struct ScaledDotScore {
  static constexpr std::string_view kName = "scaled-dot";
  bool operator==(const ScaledDotScore&) const = default;
};
inline void describe(ScaledDotScore&, OptionVisitor&) {}

struct CosineScore {
  static constexpr std::string_view kName = "cosine";
  double initial_scale = 10;  ///< the first g: a cosine alone is too flat for a softmax to choose by
  bool operator==(const CosineScore&) const = default;
};
inline void describe(CosineScore& o, OptionVisitor& visit) {
  visit("initial-scale", o.initial_scale, "initial value of the learned factor on the cosine", at_least(0));
}

struct GeneralScore {
  static constexpr std::string_view kName = "general";
  bool operator==(const GeneralScore&) const = default;
};
inline void describe(GeneralScore&, OptionVisitor&) {}

struct AdditiveScore {
  static constexpr std::string_view kName = "additive";
  std::optional<int64_t> hidden = std::nullopt;  ///< width of v; absent: that of the query
  bool normalized = false;                       ///< g v / |v| for v
  bool operator==(const AdditiveScore&) const = default;
};
inline void describe(AdditiveScore& o, OptionVisitor& visit) {
  visit("score-hidden", o.hidden, "width of the additive score's hidden layer; none: that of the decoder's state",
        between(1, 1e6));
  visit("normalized", o.normalized, "learn the additive score's vector as direction and length");
}

struct LocationScore {
  static constexpr std::string_view kName = "location";
  int64_t max_source = 100;  ///< source positions there are scores for, eos counted; longer sources are an error
  bool operator==(const LocationScore&) const = default;
};
inline void describe(LocationScore& o, OptionVisitor& visit) {
  visit("max-source", o.max_source,
        "the longest source in tokens, eos counted, that has a score; training and scoring refuse longer ones, heed "
        "translate cuts them into parts",
        between(1, 1e9));
}

struct UniformScore {
  static constexpr std::string_view kName = "uniform";
  bool operator==(const UniformScore&) const = default;
};
inline void describe(UniformScore&, OptionVisitor&) {}

struct IdfScore {
  static constexpr std::string_view kName = "idf";
  bool operator==(const IdfScore&) const = default;
};
inline void describe(IdfScore&, OptionVisitor&) {}

struct TfIdfScore {
  static constexpr std::string_view kName = "tf-idf";
  bool operator==(const TfIdfScore&) const = default;
};
inline void describe(TfIdfScore&, OptionVisitor&) {}

using ScoreOptions = std::variant<AdditiveScore, GeneralScore, DotScore, ScaledDotScore, CosineScore, LocationScore,
                                  UniformScore, IdfScore, TfIdfScore>;

/// What a score compares.
struct ScoreShape {
  int64_t d_query = 0;
  int64_t d_memory = 0;
  int64_t vocabulary = 0;  ///< source ids, for idf and tf-idf
  int64_t d_coverage = 0;  ///< width of coverage, for additive; 0: none
};

/// Scores of one pass over the target: what the steps share is made once.
class ScorePass {
 public:
  virtual ~ScorePass() = default;
  /// query: float [S, rows, d_query], rows: target positions or beams; coverage: float [S, rows, source, d_coverage],
  /// undefined without coverage -> float [S, rows, source].
  virtual Tensor operator()(const Tensor& query, const Tensor& coverage) const = 0;
};

class AttentionScore : public torch::nn::Module {
 public:
  /// What of the source every step of every hypothesis uses, made once a sentence.
  /// states: float [S, source, d_memory]; tokens: int64 [S, source] -> float [S, source, d_key].
  virtual Tensor keys(const Tensor& states, const Tensor& /*tokens*/) { return states; }
  /// keys: of keys().
  virtual std::unique_ptr<ScorePass> begin(const Tensor& keys) = 0;
  /// The longest source there are scores for, if there is a limit.
  virtual std::optional<int64_t> max_source() const { return std::nullopt; }
};

/// Throws c10::Error when the widths do not suit the score: dot, scaled-dot and cosine need d_query = d_memory.
std::shared_ptr<AttentionScore> make_attention_score(const ScoreOptions& options, const ScoreShape& shape);
/// Whether query and memory must have one width.
bool needs_equal_widths(const ScoreOptions& options);
/// Whether it knows nothing of states: uniform, idf and tf-idf, whose weights are fixed before training.
bool is_static(const ScoreOptions& options);

}  // namespace heed::nn
