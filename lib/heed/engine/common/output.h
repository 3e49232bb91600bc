// The output layer (heed_torch/nn/output_layer.h) with top-k: finds the best few tokens of each hypothesis and their
// log-probabilities without storing a whole row of logits.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/engine/common/matrix.h"
#include "heed/engine/common/weights.h"
#include "heed/kernels/top_k_kernel.h"
#include "heed/search/token_lists.h"

namespace heed::engine {

/// Which tokens may be chosen, and how many. All lists of tokens are ascending.
struct TopKRules {
  int64_t count = 1;
  std::span<const int32_t> barred = {};           ///< tokens excluded for all hypotheses
  std::span<const int32_t> barred_and_end = {};   ///< `barred` with `end`
  int32_t end = 0;                                ///< the end-of-sentence token
  std::span<const uint8_t> without_end = {};      ///< per hypothesis: whether it must not end; empty: all may
  const search::TokenLists* barred_of = nullptr;  ///< per hypothesis: all excluded tokens; replaces the three lists
                                                  ///< above
  const search::TokenLists* asked = nullptr;      ///< per hypothesis: tokens whose log-probabilities are wanted
};

/// The best tokens of R hypotheses.
struct TopK {
  std::vector<float> log_probabilities;  ///< [R, count], best first; -inf if fewer tokens may be chosen
  std::vector<int32_t> tokens;           ///< [R, count]; ties: the lower token id first
  std::vector<float> of_end;             ///< [R]: the log-probability of the token `end`, chosen or not
  std::vector<float> asked;              ///< of the tokens in TopKRules::asked; -inf for tokens outside the
                                         ///< shortlist
};

class Output {
 public:
  /// weight: [vocabulary, d], which must outlive this; bias: [vocabulary]; null: none.
  Output(const Weight& weight, const Weight* bias, Precision precision);
  int64_t vocab_size() const { return matrix_.out(); }

  /// The working memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Buffer<float> logits;
    std::vector<kernels::RowTopK> rows;
    TopK scored;                  // of score(), which needs only the sum
    std::vector<int64_t> places;  // of a shortlist: where each token's weights begin
    std::vector<int32_t> barred;  // of a shortlist: places in it
    Rows some;                    // of for_each_row
  };
  /// Finds the best tokens. hidden: [R, d]. Throws Error if log-probabilities are not numbers.
  void top_k(const Rows& hidden, const TopKRules& rules, Scratch& scratch, TopK& top) const;
  /// The same with a shortlist for each sentence. Only its tokens can follow, and their probabilities sum to 1. Matrix
  /// multiplications are in float32. lists: per sentence, ascending, includes `end`. hypotheses: the number per
  /// sentence; the sum is R.
  void top_k(const Rows& hidden, std::span<const std::vector<int32_t>> lists, std::span<const int64_t> hypotheses,
             const TopKRules& rules, Scratch& scratch, TopK& top) const;
  /// The log-probability of a token after each hypothesis. hidden: [R, d]; tokens: [R] -> found: [R]. Throws as above.
  void score(const Rows& hidden, std::span<const int32_t> tokens, Scratch& scratch, std::span<float> found) const;
  /// Whole rows of logits. logits: [R, row_size()]; the first vocab_size() numbers of each row are the logits.
  void logits(const Rows& hidden, Scratch& scratch, float* logits) const;
  /// Calls use(row, log_probabilities) for each hypothesis, with the log-probabilities of all next tokens: [V], which
  /// it may change. Only a few rows are in memory at a time. Throws as above.
  using UseRow = std::function<void(int64_t row, std::span<float> log_probabilities)>;
  void for_each_row(const Rows& hidden, Scratch& scratch, const UseRow& use) const;
  int64_t row_size() const { return kernels::panels_of(vocab_size()) * kernels::kPanel; }

 private:
  static void begin(int64_t rows, const TopKRules& rules, Scratch& scratch, TopK& top);
  template <class Use>
  void for_each_stretch(const Rows& hidden, Scratch& scratch, const Use& use) const;
  void top_k_listed(const float* hidden, std::span<const int32_t> list, size_t row, const TopKRules& rules,
                    Scratch& scratch, TopK& top) const;
  static void finish(const TopKRules& rules, Scratch& scratch, TopK& top);

  Matrix matrix_;
  Weight weight_;
  std::span<const float> bias_;  // empty: none
};

}  // namespace heed::engine
