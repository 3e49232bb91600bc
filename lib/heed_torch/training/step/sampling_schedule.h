// Scheduled sampling (Bengio et al. 2015, https://arxiv.org/abs/1506.03099). In training, a recurrent decoder reads the
// target's word at each position with probability epsilon; otherwise it reads a word that it has just predicted there.
// epsilon falls with the progress i before the step:
//   linear           max(minimum, 1 - i / length)
//   exponential      k^i, i in steps, k < 1
//   inverse-sigmoid  k / (k + exp(i / k)), i in steps, k >= 1
// With epsilon = 1 the decoder always reads the target's word: teacher forcing.
#pragma once

#include <array>
#include <string_view>
#include <utility>
#include <variant>

#include "heed/core/amount.h"
#include "heed/core/options.h"

namespace heed::training {

/// Which of its predicted words a decoder reads: one sampled from their probabilities, or the most probable one.
enum class OwnWord { Sampled, Best };
constexpr auto option_names(OwnWord) {
  return std::array{std::pair{OwnWord::Sampled, "sampled"}, std::pair{OwnWord::Best, "best"}};
}

struct TeacherForcing {
  static constexpr std::string_view kName = "none";
  bool operator==(const TeacherForcing&) const = default;
};
void describe(TeacherForcing&, AnyOptionVisitor auto&) {}

struct LinearSampling {
  static constexpr std::string_view kName = "linear";
  Amount length{10, AmountUnit::Epochs};  ///< the progress at which epsilon would be 0
  double minimum = 0;                     ///< of epsilon
  OwnWord word = OwnWord::Sampled;
  bool operator==(const LinearSampling&) const = default;
};
struct ExponentialSampling {
  static constexpr std::string_view kName = "exponential";
  double k = 0.9995;
  OwnWord word = OwnWord::Sampled;
  bool operator==(const ExponentialSampling&) const = default;
};
struct InverseSigmoidSampling {
  static constexpr std::string_view kName = "inverse-sigmoid";
  double k = 500;
  OwnWord word = OwnWord::Sampled;
  bool operator==(const InverseSigmoidSampling&) const = default;
};

void describe_word(OwnWord& word, AnyOptionVisitor auto& visit) {
  visit("word", word, "the decoder's own word: sampled from its distribution, or best, its most probable one");
}
void describe(LinearSampling& o, AnyOptionVisitor auto& visit) {
  visit("length", o.length, "amount of training over which the share of reference words falls from 1 to 0", above(0));
  visit("minimum", o.minimum, "lowest share of reference words", between(0, 1));
  describe_word(o.word, visit);
}
void describe(ExponentialSampling& o, AnyOptionVisitor auto& visit) {
  visit("k", o.k, "share of reference words after i steps: k^i", between(0, 0.9999999));
  describe_word(o.word, visit);
}
void describe(InverseSigmoidSampling& o, AnyOptionVisitor auto& visit) {
  visit("k", o.k, "share of reference words after i steps: k / (k + exp(i / k))", between(1, 1e9));
  describe_word(o.word, visit);
}

struct SamplingSchedule {
  std::variant<TeacherForcing, LinearSampling, ExponentialSampling, InverseSigmoidSampling> type;
  bool operator==(const SamplingSchedule&) const = default;

  bool samples() const { return !std::holds_alternative<TeacherForcing>(type); }
  OwnWord word() const;
};
void describe(SamplingSchedule& o, AnyOptionVisitor auto& visit) {
  visit.alternatives("type", o.type,
                     "how the share of reference words that a recurrent decoder reads in training decays; the others "
                     "are its own words; none: teacher forcing, only reference words");
}

/// epsilon of a step; `before`: the progress before it.
double teacher_forcing(const SamplingSchedule& schedule, const Progress& before);

}  // namespace heed::training
