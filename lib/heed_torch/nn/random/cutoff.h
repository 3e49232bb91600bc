// Cutoff (Shen et al. 2020, https://arxiv.org/abs/2009.13818): the second of two passes over a sentence does not see a
// part of its embeddings [tokens, d], on the source and on the target:
//   token    each token's vector becomes 0 with probability `share`
//   feature  each component becomes 0 with probability `share`, the same ones in all tokens of a sentence
//   span     the vectors of a span of max(1, round(share * tokens)) neighboring tokens become 0
// The paper cuts a fixed number of tokens or components, which is none in a short sentence; and it cuts the positions,
// too, which are added to the embeddings here.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <variant>

#include <ATen/core/Tensor.h>

#include "heed/core/options.h"

namespace heed::nn {

using at::Tensor;

struct NoCutoff {
  static constexpr std::string_view kName = "none";
  bool operator==(const NoCutoff&) const = default;
};
struct TokenCutoff {
  static constexpr std::string_view kName = "token";
  double share = 0.05;  ///< in (0, 1)
  bool operator==(const TokenCutoff&) const = default;
};
struct FeatureCutoff {
  static constexpr std::string_view kName = "feature";
  double share = 0.05;  ///< in (0, 1)
  bool operator==(const FeatureCutoff&) const = default;
};
struct SpanCutoff {
  static constexpr std::string_view kName = "span";
  double share = 0.05;  ///< of the sentence's tokens, in (0, 1)
  bool operator==(const SpanCutoff&) const = default;
};
void describe(NoCutoff&, AnyOptionVisitor auto&) {}
template <class Cutoff>
  requires(std::same_as<Cutoff, TokenCutoff> || std::same_as<Cutoff, FeatureCutoff> || std::same_as<Cutoff, SpanCutoff>)
void describe(Cutoff& o, AnyOptionVisitor auto& visit) {
  visit("share", o.share, "share of the tokens or components that are cut", between(0.0001, 0.99));
}

struct CutoffOptions {
  std::variant<NoCutoff, TokenCutoff, FeatureCutoff, SpanCutoff> type = {};
  bool operator==(const CutoffOptions&) const = default;

  bool cuts() const { return !std::holds_alternative<NoCutoff>(type); }
};
void describe(CutoffOptions& o, AnyOptionVisitor auto& visit) {
  visit.alternatives(
      "type", o.type,
      "cutoff: what the second pass of R-Drop does not see of the embeddings of source and target: single "
      "tokens, components (feature), or neighboring tokens (span)");
}

/// A guard: during its life, this thread's token embeddings are those of batches whose second half of rows is the
/// second pass over the sentences of the first half. These rows are cut.
class CutoffScope {
 public:
  explicit CutoffScope(const CutoffOptions& options);
  ~CutoffScope();
  CutoffScope(const CutoffScope&) = delete;
  CutoffScope& operator=(const CutoffScope&) = delete;

 private:
  friend Tensor cut_second_pass(const Tensor& x, const Tensor& tokens);
  CutoffOptions options_;
  const CutoffScope* outer_;
};

/// x with the second half of its rows cut by the open CutoffScope, or x itself without one. x: float [2 S, tokens, d];
/// tokens: int64 [2 S, tokens], padding 0. Takes one draw of the open RandomScope if it cuts.
Tensor cut_second_pass(const Tensor& x, const Tensor& tokens);

}  // namespace heed::nn
