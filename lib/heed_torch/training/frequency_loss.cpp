#include "heed_torch/training/frequency_loss.h"

#include <cmath>
#include <map>
#include <variant>

#include "heed/text/tokenizer.h"

namespace heed::training {

namespace {

/// Counts what a target predicts. Numbers have no frequencies.
struct Counter {
  std::map<int32_t, double> counts;
  double all = 0;

  void operator()(const text::Ids& tokens) {
    for (const int32_t id : tokens) count(id);
    count(text::kEos);
  }
  void operator()(const text::ClassLabel& of_line) { count(of_line.label); }
  void operator()(const text::WordLabels& words) {
    for (const int32_t label : words.labels) {
      if (label != text::kNoLabel) count(label);
    }
  }
  void operator()(const text::Numbers&) {}

  void count(int32_t id) {
    counts[id] += 1;
    all += 1;
  }
};

}  // namespace

std::optional<double> frequency_loss(const data::EncodedCorpus& corpus) {
  constexpr double kFewest = 100, kFewestOfEach = 2;
  Counter counter;
  for (int64_t pair = 0; pair < corpus.size(); ++pair) std::visit(counter, corpus.target(pair));
  const auto& [counts, all] = counter;
  const auto kinds = static_cast<double>(counts.size());
  if (kinds < 2 || all < kFewest || all < kFewestOfEach * kinds) return std::nullopt;
  double entropy = 0;
  for (const auto& [id, times] : counts) entropy -= times / all * std::log(times / all);
  return entropy;
}

bool has_learned_little(double loss, double frequency_loss) {
  constexpr double kShare = 0.9;
  return loss > kShare * frequency_loss;
}

}  // namespace heed::training
