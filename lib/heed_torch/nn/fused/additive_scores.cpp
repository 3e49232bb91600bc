#include "heed_torch/nn/fused/additive_scores.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "heed/kernels/additive_scores_kernel.h"
#include "heed/kernels/vector_code.h"
#include "heed_torch/nn/products/shared_by_steps.h"

namespace heed::nn {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The data that the steps of a pass share.
struct AdditiveScores::Tape {
  // Contiguous, without gradients. The hidden dimension is padded with units whose weight in v is 0.
  Tensor keys, vector;                      // [S, source, padded hidden], [1, padded hidden]
  Tensor keys_gradient, vector_gradient{};  // shape of keys, and [S, padded hidden]; undefined before the first
                                            // backward step
  int64_t hidden = 0;

  static Tensor filled(const Tensor& x) {
    const int64_t behind = kernels::padded_to_lanes(x.size(-1)) - x.size(-1);
    return behind == 0 ? x.contiguous() : at::constant_pad_nd(x, {0, behind});
  }

  kernels::AdditiveWork work(const Tensor& query) const {
    return {.rows = query.size(1),
            .source = keys.size(1),
            .hidden = keys.size(2),
            .query = query.const_data_ptr<float>(),
            .key = keys.const_data_ptr<float>(),
            .vector = vector.const_data_ptr<float>()};
  }

  template <class Work>
  void for_sentences(const Work& work) const {
    const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 14) / std::max<int64_t>(1, keys.size(1) * keys.size(2)));
    at::parallel_for(0, keys.size(0), grain, work);
  }

  Tensor scores(const Tensor& query) const {
    Tensor result = at::empty({query.size(0), query.size(1), keys.size(1)}, query.options());
    auto* numbers = result.mutable_data_ptr<float>();
    for_sentences(
        [&, w = work(query)](int64_t begin, int64_t end) { kernels::additive_scores(w, numbers, begin, end); });
    return result;
  }

  /// Adds to the gradients of keys and vector if they are needed, and returns the query's gradient.
  Tensor add_gradients(const Tensor& query, const Tensor& of_scores, bool wanted) {
    Tensor of_keys = keys_gradient, of_vector = vector_gradient;
    if (!wanted || !of_keys.defined()) {
      of_keys = at::zeros_like(keys);
      of_vector = at::zeros({keys.size(0), keys.size(2)}, keys.options());
    }
    if (wanted) std::tie(keys_gradient, vector_gradient) = std::tie(of_keys, of_vector);
    Tensor result = at::empty_like(query);
    const kernels::AdditiveGradients gradients{.scores = of_scores.const_data_ptr<float>(),
                                               .query = result.mutable_data_ptr<float>(),
                                               .key = of_keys.mutable_data_ptr<float>(),
                                               .vector = of_vector.mutable_data_ptr<float>()};
    for_sentences([&, w = work(query)](int64_t begin, int64_t end) {
      kernels::additive_scores_backward(w, gradients, begin, end);
    });
    return result;
  }

  /// Returns the gradients of keys and vector and removes them from the tape.
  std::pair<Tensor, Tensor> take() {
    if (!keys_gradient.defined()) return {};
    const Tensor of_vector = std::exchange(vector_gradient, {}).sum(0, /*keepdim=*/true);
    const Tensor of_keys = std::exchange(keys_gradient, {});
    return {of_keys.narrow(2, 0, hidden), of_vector.narrow(1, 0, hidden)};
  }

  struct Step : torch::autograd::Function<Step> {
    static Tensor forward(AutogradContext* context, const Tensor& query, const Tensor&, const Tensor&,
                          const c10::IValue& tape) {
      context->saved_data["tape"] = tape;
      const Tensor asked = filled(query);
      context->save_for_backward({asked});
      return of(context)->scores(asked);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
      TORCH_CHECK(!at::GradMode::is_enabled(), "additive scores have no second derivative");
      const Tensor asked = context->get_saved_variables()[0];
      const bool wanted = context->needs_input_grad(1) || context->needs_input_grad(2);
      const auto tape = of(context);
      return {tape->add_gradients(asked, gradients[0].contiguous(), wanted).narrow(2, 0, tape->hidden), {}, {}, {}};
    }
  };

  static std::shared_ptr<Tape> of(AutogradContext* context) { return held_in<Tape>(*context, "tape"); }
};

AdditiveScores::AdditiveScores(const Tensor& keys, const Tensor& vector) : keys_(keys), vector_(vector) {
  TORCH_CHECK(keys.dim() == 3 && vector.dim() == 2 && vector.size(0) == 1 && vector.size(1) == keys.size(2),
              "`keys` must be [S, source, hidden] and `vector` [1, hidden], found ", keys.sizes(), " and ",
              vector.sizes());
  if (!keys.is_cpu() || keys.scalar_type() != at::kFloat) return;
  tape_ = std::make_shared<Tape>();
  tape_->hidden = keys.size(2);
  tape_->keys = Tape::filled(keys.detach());
  tape_->vector = Tape::filled(vector.detach().to(at::kFloat));
  if (!at::GradMode::is_enabled() || !(keys.requires_grad() || vector.requires_grad())) return;
  std::tie(keys_, vector_) = shared_by_steps(keys_, vector_, tape_);
}

Tensor AdditiveScores::operator()(const Tensor& query) const {
  TORCH_CHECK(query.dim() == 3 && query.size(0) == keys_.size(0) && query.size(2) == keys_.size(2), "`query` must be [",
              keys_.size(0), ", rows, ", keys_.size(2), "], found ", query.sizes());
  if (tape_) {
    TORCH_CHECK(query.scalar_type() == at::kFloat, "`query` must be float32 as the keys, found ", query.scalar_type());
    return Tape::Step::apply(query, keys_, vector_, held(tape_));
  }
  const Tensor hidden = (query.unsqueeze(2) + keys_.unsqueeze(1)).tanh();  // [S, rows, source, hidden]
  return at::matmul(hidden, vector_.t()).squeeze(-1);
}

}  // namespace heed::nn
