// Attention scores: how well a decoder's state s (the query) fits a source position's state h (the key). The scores are
// those of Luong et al. 2015 (https://arxiv.org/abs/1508.04025, equation 8), Bahdanau et al. 2015
// (https://arxiv.org/abs/1409.0473, appendix A.1.2) and others.
//   dot         s . h
//   scaled-dot  s . h / sqrt(d)                          Vaswani et al. 2017
//   cosine      g s . h / (|s| |h|), g learned           Graves et al. 2014, https://arxiv.org/abs/1410.5401
//   general     g s . (W h), g = 1, or 1 / sqrt(d) for queries of width d, or learned (TensorFlow's NMT's scaled Luong)
//   additive    v . tanh(W s + U h + b)                  Bahdanau's; Luong's concat is the same without b
//   location    (W s)_j for position j, whatever the source contains
// Three baselines have fixed weights (heed_torch/nn/attention/idf_table.h):
//   uniform     0 for every position
//   idf         ln idf(w) for the position's token w: softmax makes weights idf(w) / sum of idf
//   tf-idf      ln (n idf(w)), where n is the count of w in the sentence
// Each score has one struct of options below, with its name, its formula, its conditions and list_parameters(), which
// says what it learns (heed/architecture/parameter_list.h; default: nothing). To add a score, add such a struct, a
// member of ScoreOptions and a class in score.cpp.
// Normalized additive attention uses g v / |v| for v (Salimans and Kingma 2016, https://arxiv.org/abs/1602.07868; as in
// TensorFlow's NMT).
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heed/core/options.h"
#include "heed/core/text/counted.h"

namespace heed::nn {

/// The widths that a score compares.
struct ScoreShape {
  int64_t d_query = 0;
  int64_t d_memory = 0;
  int64_t vocabulary = 0;  ///< size of the source vocabulary, for idf and tf-idf
  int64_t d_coverage = 0;  ///< width of coverage, for additive; 0: no coverage
};

struct DotScore {
  static constexpr std::string_view kName = "dot";
  static constexpr std::string_view kHelp = "s·h";
  static constexpr bool kEqualWidths = true;
  bool operator==(const DotScore&) const = default;
};
void describe(DotScore&, AnyOptionVisitor auto&) {}

struct ScaledDotScore {
  static constexpr std::string_view kName = "scaled-dot";
  static constexpr std::string_view kHelp = "s·h over the square root of the width";
  static constexpr bool kEqualWidths = true;
  bool operator==(const ScaledDotScore&) const = default;
};
void describe(ScaledDotScore&, AnyOptionVisitor auto&) {}

struct CosineScore {
  static constexpr std::string_view kName = "cosine";
  static constexpr std::string_view kHelp = "a learned factor times the cosine of s and h";
  static constexpr bool kEqualWidths = true;
  double initial_scale = 10;  ///< initial value of g: with g = 1 the softmax of cosines is nearly uniform
  bool operator==(const CosineScore&) const = default;
};
void describe(CosineScore& o, AnyOptionVisitor auto& visit) {
  visit("initial-scale", o.initial_scale, "initial value of the learned factor on the cosine", at_least(0));
}
void list_parameters(const CosineScore&, const ScoreShape&, const auto& list) { list.tensor("scale", {1}); }

/// The factor g of the general score.
enum class ScoreScale {
  None,     ///< 1: equation 8 of the paper
  Fixed,    ///< 1 / sqrt(d). Adam moves every entry of W by about the same step whatever d is, and a score sums d
            ///< entries
  Learned,  ///< learned, initially 1 / sqrt(d)
};
constexpr auto option_names(ScoreScale) {
  using Name = std::pair<ScoreScale, std::string_view>;
  return std::array{Name{ScoreScale::None, "none"}, Name{ScoreScale::Fixed, "fixed"},
                    Name{ScoreScale::Learned, "learned"}};
}

struct GeneralScore {
  static constexpr std::string_view kName = "general";
  static constexpr std::string_view kHelp = "s·W h";
  ScoreScale scale = ScoreScale::None;
  bool operator==(const GeneralScore&) const = default;
};
void describe(GeneralScore& o, AnyOptionVisitor auto& visit) {
  visit(
      "score-scale", o.scale,
      "factor of the general score: none; fixed, 1 / sqrt(width of the decoder's state), which keeps Adam's first steps "
      "from making scores explode; learned from that value on");
}
void list_parameters(const GeneralScore& o, const ScoreShape& shape, const auto& list) {
  list.linear("key", shape.d_memory, shape.d_query, false);
  if (o.scale == ScoreScale::Learned) list.tensor("scale", {1});
}

struct AdditiveScore {
  static constexpr std::string_view kName = "additive";
  static constexpr std::string_view kHelp = "v·tanh(W s + U h), Luong's concat";
  std::optional<int64_t> hidden = std::nullopt;  ///< width of v; absent: the width of the query
  bool normalized = false;                       ///< use g v / |v| for v
  bool operator==(const AdditiveScore&) const = default;
};
void describe(AdditiveScore& o, AnyOptionVisitor auto& visit) {
  visit("score-hidden", o.hidden, "width of the additive score's hidden layer; none: that of the decoder's state",
        between(1, 1e6));
  visit("normalized", o.normalized, "learn the additive score's vector as direction and length");
}
void list_parameters(const AdditiveScore& o, const ScoreShape& shape, const auto& list) {
  const int64_t hidden = o.hidden.value_or(shape.d_query);
  list.linear("query", shape.d_query, hidden, false);
  list.linear("key", shape.d_memory, hidden);
  if (shape.d_coverage > 0) list.linear("coverage", shape.d_coverage, hidden, false);
  list.tensor("vector", {1, hidden});
  if (o.normalized) list.tensor("length", {1});
}

struct LocationScore {
  static constexpr std::string_view kName = "location";
  static constexpr std::string_view kHelp = "W s, whatever the source token";
  int64_t max_source = 100;  ///< number of source positions that have scores, including eos; a longer source is an
                             ///< error
  bool operator==(const LocationScore&) const = default;
};
void describe(LocationScore& o, AnyOptionVisitor auto& visit) {
  visit("max-source", o.max_source,
        "the longest source in tokens, eos counted, that has a score; training and scoring refuse longer ones, heed "
        "translate cuts them into parts",
        between(1, 1e9));
}
void list_parameters(const LocationScore& o, const ScoreShape& shape, const auto& list) {
  list.linear("position", shape.d_query, o.max_source, false);
}

struct UniformScore {
  static constexpr std::string_view kName = "uniform";
  static constexpr std::string_view kHelp = "all alike, not learned";
  static constexpr bool kStatic = true;
  bool operator==(const UniformScore&) const = default;
};
void describe(UniformScore&, AnyOptionVisitor auto&) {}

struct IdfScore {
  static constexpr std::string_view kName = "idf";
  static constexpr std::string_view kHelp = "by the token's inverse document frequency, not learned";
  static constexpr bool kStatic = true;
  bool operator==(const IdfScore&) const = default;
};
void describe(IdfScore&, AnyOptionVisitor auto&) {}

struct TfIdfScore {
  static constexpr std::string_view kName = "tf-idf";
  static constexpr std::string_view kHelp = "likewise, times how often the token is in the sentence";
  static constexpr bool kStatic = true;
  bool operator==(const TfIdfScore&) const = default;
};
void describe(TfIdfScore&, AnyOptionVisitor auto&) {}

/// Both have a table for the source vocabulary.
template <class Score>
  requires(std::same_as<Score, IdfScore> || std::same_as<Score, TfIdfScore>)
void list_parameters(const Score&, const ScoreShape& shape, const auto& list) {
  list.tensor("idf", {shape.vocabulary});
}

using ScoreOptions = std::variant<AdditiveScore, GeneralScore, DotScore, ScaledDotScore, CosineScore, LocationScore,
                                  UniformScore, IdfScore, TfIdfScore>;

/// Whether d_query and d_memory must be equal (kEqualWidths).
inline bool needs_equal_widths(const ScoreOptions& options) {
  return std::visit([]<class Score>(const Score&) { return requires { Score::kEqualWidths; }; }, options);
}
/// Whether the score ignores the states, so that its weights are fixed before training (kStatic).
inline bool is_static(const ScoreOptions& options) {
  return std::visit([]<class Score>(const Score&) { return requires { Score::kStatic; }; }, options);
}
/// The longest source that has scores; absent: no limit.
inline std::optional<int64_t> max_source(const ScoreOptions& options) {
  const auto find = []<class Score>(const Score& score) -> std::optional<int64_t> {
    if constexpr (requires { score.max_source; }) return score.max_source;
    return std::nullopt;
  };
  return std::visit(find, options);
}
/// For messages: the names of all scores for which `property` holds, such as "dot, scaled-dot and cosine".
inline std::string score_names(bool (*property)(const ScoreOptions&)) {
  std::vector<std::string> names;
  for_each_alternative<ScoreOptions>([&]<class Score>(const Score& score) {
    if (property(score)) names.emplace_back(Score::kName);
  });
  return listed(names, "and");
}

}  // namespace heed::nn
