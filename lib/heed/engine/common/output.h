// The output layer (heed_torch/nn/output_layer.h) and what search needs of its logits: the best few tokens of each
// hypothesis with their log-probabilities, without writing a row of logits whole.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heed/engine/common/matrix.h"
#include "heed/engine/common/weights.h"
#include "heed/kernels/choice_kernel.h"
#include "heed/search/token_lists.h"

namespace heed::engine {

/// What may be chosen, and how many of it. All lists of tokens are ascending.
struct ChoiceRules {
  int64_t count = 1;
  std::span<const int32_t> barred = {};           ///< tokens that no hypothesis may have
  std::span<const int32_t> barred_and_end = {};   ///< the same with `end`
  int32_t end = 0;                                ///< the token that ends a sentence
  std::span<const uint8_t> without_end = {};      ///< of each hypothesis: whether it may not end; empty: all may
  const search::TokenLists* barred_of = nullptr;  ///< of each hypothesis all that it may not have, instead of those
  const search::TokenLists* asked = nullptr;      ///< of each hypothesis: tokens whose log-probabilities are wanted
};

/// Of R hypotheses.
struct Choices {
  std::vector<float> log_probabilities;  ///< [R, count], best first; -inf where fewer may be chosen
  std::vector<int32_t> tokens;           ///< [R, count]; of equal ones the first of the vocabulary comes first
  std::vector<float> of_end;             ///< [R]: the log-probability of the token `end`, chosen or not
  std::vector<float> asked;              ///< of the tokens asked for; -inf of those that a short-list lacks
};

class Output {
 public:
  /// weight: [vocabulary, d], read where it lies; bias: [vocabulary], or null for none.
  Output(const Weight& weight, const Weight* bias, Precision precision);
  int64_t vocab_size() const { return matrix_.out(); }

  /// The memory of one thread.
  struct Scratch {
    explicit Scratch(Precision precision) : operand(precision) {}
    Operand operand;
    Buffer<float> logits;
    std::vector<kernels::RowChoice> rows;
    Choices scored;               // of score(), which needs no choice but the sum
    std::vector<int64_t> places;  // of a short-list: where each token's weights begin
    std::vector<int32_t> barred;  // of a short-list: places in it
    Rows some;                    // of for_each_row
  };
  /// hidden: [R, d]. Throws Error where log-probabilities are no numbers.
  void choose(const Rows& hidden, const ChoiceRules& rules, Scratch& scratch, Choices& choices) const;
  /// The same where each sentence has a short-list: the only tokens that there are for it, whose probabilities add up
  /// to one; products are in float32. lists: of each sentence, ascending, with the token `end`; hypotheses: of each
  /// sentence, R together.
  void choose(const Rows& hidden, std::span<const std::vector<int32_t>> lists, std::span<const int64_t> hypotheses,
              const ChoiceRules& rules, Scratch& scratch, Choices& choices) const;
  /// The log-probability of a token after each hypothesis. hidden: [R, d]; tokens: [R] -> found: [R]. Throws as above.
  void score(const Rows& hidden, std::span<const int32_t> tokens, Scratch& scratch, std::span<float> found) const;
  /// Whole rows of logits. logits: [R, row_size()], of which the first vocab_size() numbers of each row are the logits.
  void logits(const Rows& hidden, Scratch& scratch, float* logits) const;
  /// Calls use(row, log_probabilities) with those of all tokens behind each hypothesis, some rows at a time in memory:
  /// [V], which it may change. Throws as above.
  using UseRow = std::function<void(int64_t row, std::span<float> log_probabilities)>;
  void for_each_row(const Rows& hidden, Scratch& scratch, const UseRow& use) const;
  int64_t row_size() const { return kernels::panels_of(vocab_size()) * kernels::kPanel; }

 private:
  static void begin(int64_t rows, const ChoiceRules& rules, Scratch& scratch, Choices& choices);
  template <class Use>
  void for_each_stretch(const Rows& hidden, Scratch& scratch, const Use& use) const;
  void choose_listed(const float* hidden, std::span<const int32_t> list, size_t row, const ChoiceRules& rules,
                     Scratch& scratch, Choices& choices) const;
  static void finish(const ChoiceRules& rules, Scratch& scratch, Choices& choices);

  Matrix matrix_;
  Weight weight_;
  std::span<const float> bias_;  // empty: none
};

}  // namespace heed::engine
