#include "heed/engine/recurrent/attention_function.h"

#include <algorithm>
#include <functional>
#include <variant>

#include "heed/kernels/attention_step.h"

namespace heed::engine {
namespace {

void take_best_alone(float* scores, int64_t count) {
  const auto best = std::max_element(scores, scores + count) - scores;
  std::fill(scores, scores + count, 0.0f);
  scores[best] = 1;
}

/// The closest point of the simplex: max(0, score - threshold).
void sparsemax_scores(float* scores, int64_t count, std::vector<float>& sorted) {
  const float top = *std::max_element(scores, scores + count);
  for (int64_t j = 0; j < count; ++j) scores[j] -= top;
  sorted.assign(scores, scores + count);
  std::ranges::sort(sorted, std::greater{});
  float sum = 0, threshold = 0;
  for (size_t rank = 1; rank <= sorted.size(); ++rank) {
    const float z = sorted[rank - 1];
    sum += z;
    if (1 + static_cast<float>(rank) * z <= sum) break;
    threshold = (sum - 1) / static_cast<float>(rank);
  }
  for (int64_t j = 0; j < count; ++j) scores[j] = std::max(scores[j] - threshold, 0.0f);
}

struct PositionChooser {
  float* scores;
  int64_t count;
  std::vector<float>& sorted;

  void operator()(const nn::SoftAttention&) const { kernels::softmax_scores(scores, count); }
  void operator()(const nn::SparsemaxAttention&) const { sparsemax_scores(scores, count, sorted); }
  void operator()(const nn::HardAttention&) const { take_best_alone(scores, count); }
  void operator()(const nn::GumbelAttention&) const { take_best_alone(scores, count); }
};

}  // namespace

void choose_positions(const nn::AttentionFunction& options, float* scores, int64_t count, std::vector<float>& sorted) {
  std::visit(PositionChooser{scores, count, sorted}, options);
}

}  // namespace heed::engine
