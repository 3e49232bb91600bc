#include "heed_torch/nn/losses/cross_entropy.h"

#include <algorithm>
#include <utility>

#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>

#include "heed_torch/nn/losses/gradient_scale.h"
#include "heed_torch/nn/losses/row_losses.h"
#include "heed_torch/nn/products/product.h"

namespace heed::nn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The maximum size of the logits of one chunk, in the type of the statistics. On the CPU it is a large part of the
// cache.
constexpr int64_t kChunkBytesOnCpu = int64_t{32} << 20;
constexpr int64_t kChunkBytes = int64_t{256} << 20;
// If the gradient of the logits is rounded: the size of the logits that are computed before they are. They stay in the
// cache, and each number of a chunk's gradient is written once, in bfloat16.
constexpr int64_t kBlockBytes = int64_t{2} << 20;

struct Request {
  Tensor hidden, weight, bias, targets;  // hidden and weight as matrix multiplications read them, bias in the type of
                                         // the statistics
  Tensor weights;                        // weights of the positions, in the type of the statistics; may be undefined
  double smoothing;
  std::optional<double> r_drop;             // alpha of R-Drop; `hidden` has the positions of the first pass, then those
                                            // of the second
  at::ScalarType hidden_type, weight_type;  // the types of the gradients
  bool hidden_gradient, weight_gradient, bias_gradient;
  Distillation distillation;  // teachers as matrix multiplications read them
  double gradient_scale;      // factor that the gradients already include when forward returns

  bool gradient() const { return hidden_gradient || weight_gradient || bias_gradient; }
};

bool is_operand_of_bfloat16(const Tensor& x) { return x.is_cpu() && x.scalar_type() == at::kBFloat16; }

at::ScalarType statistics_type(at::ScalarType type) { return type == at::kDouble ? at::kDouble : at::kFloat; }

// Computes loss and gradients chunk by chunk.
class ChunkedLoss {
 public:
  explicit ChunkedLoss(const Request& request)
      : request_(request), rounds_(rounds_products() && is_operand_of_bfloat16(request.hidden)) {
    const auto options = request.hidden.options().dtype(statistics_type(request.hidden.scalar_type()));
    loss_ = at::empty({passes() * positions()}, options);
    nll_ = at::empty({passes() * positions()}, options);
    if (request.hidden_gradient) {
      hidden_gradient = at::empty(request.hidden.sizes(), options.dtype(request.hidden_type));
    }
    if (request.weight_gradient) weight_gradient = at::zeros_like(request.weight, options);
    if (request.bias_gradient) bias_gradient = at::zeros_like(request.bias, options);
  }

  void run() {
    const int64_t row_bytes = passes() * vocabulary() * loss_.element_size();
    const int64_t bytes = request_.hidden.is_cpu() ? kChunkBytesOnCpu : kChunkBytes;
    const int64_t rows = std::clamp<int64_t>(bytes / row_bytes, 1, std::max<int64_t>(positions(), 1));
    block_ = rounds_ ? std::clamp<int64_t>(kBlockBytes / row_bytes, 1, rows) : rows;
    const auto options = request_.hidden.options();
    logits_ = at::empty({passes() * block_, vocabulary()}, rounds_ ? options.dtype(at::kFloat) : options);
    if (rounds_ && request_.gradient()) {
      gradient_ = at::empty({passes() * rows, vocabulary()}, options.dtype(at::kBFloat16));
    }
    for (int64_t first = 0; first < positions(); first += rows) chunk(first, std::min(rows, positions() - first));
    loss = loss_.sum(at::kDouble).to(loss_.scalar_type());
    nll = nll_.sum(at::kDouble).to(nll_.scalar_type());
  }

  const Tensor& rows() const { return loss_; }

  Tensor loss, nll, hidden_gradient, weight_gradient, bias_gradient;

 private:
  int64_t passes() const { return request_.r_drop ? 2 : 1; }
  int64_t positions() const { return targets().size(0); }
  int64_t vocabulary() const { return request_.weight.size(0); }
  const Tensor& targets() const { return request_.targets; }

  // Rows [first, first + rows) of each pass.
  Tensor rows_of(const Tensor& all, int64_t first, int64_t rows) const {
    const Tensor of_first = all.narrow(0, first, rows);
    return passes() == 1 ? of_first : at::cat({of_first, all.narrow(0, positions() + first, rows)});
  }

  void chunk(int64_t first, int64_t rows) {
    const Tensor hidden = rows_of(request_.hidden, first, rows);  // [passes * rows, d]
    Tensor gradient = rounds_ && request_.gradient() ? gradient_.narrow(0, 0, passes() * rows) : Tensor();
    for (int64_t done = 0; done < rows; done += block_) {
      const int64_t count = std::min(block_, rows - done);
      const Tensor of_block = block(first + done, count, rounded_rows(gradient, rows, done, count));
      if (!rounds_) gradient = of_block;
    }
    if (!request_.gradient()) return;
    if (request_.hidden_gradient) assign_hidden_gradient(gradient, first, rows);
    if (request_.weight_gradient) add_product(weight_gradient, gradient.t(), hidden.t());
  }

  // Rows [done, done + count) of each pass of a chunk's rounded gradient; empty if it is not rounded.
  std::vector<Tensor> rounded_rows(const Tensor& gradient, int64_t rows, int64_t done, int64_t count) const {
    std::vector<Tensor> of_passes;
    if (!rounds_ || !gradient.defined()) return of_passes;
    for (int64_t pass = 0; pass < passes(); ++pass) of_passes.push_back(gradient.narrow(0, pass * rows + done, count));
    return of_passes;
  }

  bool distills() const { return !request_.distillation.teachers.empty(); }

  // The mean of the teachers' distributions of rows [first, first + rows), [rows, V].
  Tensor teacher_probabilities(int64_t first, int64_t rows) const {
    Tensor sum;
    for (const TeacherOutput& teacher : request_.distillation.teachers) {
      const Tensor logits = at::empty({rows, vocabulary()}, logits_.options());
      assign_product(logits, teacher.hidden.narrow(0, first, rows), teacher.weight);
      Tensor scores = logits.to(loss_.scalar_type());
      if (teacher.bias.defined()) scores = scores + teacher.bias;
      const Tensor probabilities = at::softmax(scores / request_.distillation.temperature, 1);
      sum = sum.defined() ? sum.add_(probabilities) : probabilities;
    }
    return sum.div_(static_cast<double>(request_.distillation.teachers.size()));
  }

  // T^2 KL(q || p) of each row and its gradient T (p - q), with p = softmax(logits / T).
  struct Divergence {
    Tensor loss, gradient;  // [passes * rows], [passes * rows, V]
  };
  Divergence divergence_from_teachers(const Tensor& logits, int64_t first, int64_t rows) const {
    const double temperature = request_.distillation.temperature;
    const Tensor of_rows = teacher_probabilities(first, rows);
    const Tensor q = passes() == 1 ? of_rows : at::cat({of_rows, of_rows});
    const Tensor log_p = at::log_softmax(logits / temperature, 1);
    Divergence divergence{.loss = (at::xlogy(q, q) - q * log_p).sum(1).mul_(temperature * temperature), .gradient = {}};
    if (request_.gradient()) divergence.gradient = log_p.exp().sub_(q).mul_(temperature);
    return divergence;
  }

  // Mixes the losses of the rows, and the gradients of their logits if they are defined, with the divergence.
  void mix(Tensor& gradients, const Divergence& divergence, int64_t first, int64_t rows) {
    const double weight = request_.distillation.weight, of_pass = weight / static_cast<double>(passes());
    for (int64_t pass = 0; pass < passes(); ++pass) {
      loss_.narrow(0, pass * positions() + first, rows)
          .mul_(1 - weight)
          .add_(divergence.loss.narrow(0, pass * rows, rows), of_pass);
    }
    if (request_.gradient()) gradients.mul_(1 - weight).add_(divergence.gradient, of_pass);
  }

  // Writes the losses of rows [first, first + rows) of each pass. Returns the gradient of their logits, or writes it to
  // `rounded`.
  Tensor block(int64_t first, int64_t rows, std::vector<Tensor> rounded) {
    Tensor logits = logits_.narrow(0, 0, passes() * rows);  // [passes * rows, V]
    assign_product(logits, rows_of(request_.hidden, first, rows), request_.weight);
    Tensor statistics = logits.to(loss_.scalar_type());
    if (request_.bias.defined()) statistics.add_(request_.bias);
    Divergence divergence;
    if (distills()) divergence = divergence_from_teachers(statistics, first, rows);  // before they are overwritten
    LossOutput made = output(first, rows);
    // Weights, teachers and the bias's gradient need the float32 gradient.
    const bool rounds_later = request_.weights.defined() || request_.bias_gradient || distills();
    if (!rounds_later) made.rounded = rounded;
    statistics =
        request_.r_drop ? write_r_drop_losses(statistics, made, *request_.r_drop) : write_losses(statistics, made);
    if (distills()) mix(statistics, divergence, first, rows);
    if (request_.weights.defined()) weigh(statistics, first, rows);
    if (!request_.gradient()) return {};
    if (request_.gradient_scale != 1) statistics.mul_(request_.gradient_scale);
    if (request_.bias_gradient) bias_gradient.add_(statistics.sum(0));
    if (!statistics.is_same(logits)) logits.copy_(statistics);
    for (size_t pass = 0; rounds_later && pass < rounded.size(); ++pass) {
      rounded[pass].copy_(logits.narrow(0, static_cast<int64_t>(pass) * rows, rows));
    }
    return logits;
  }

  // Multiplies the losses of the rows, and the gradients of their logits if they are defined, by the weights.
  void weigh(Tensor& gradients, int64_t first, int64_t rows) {
    const Tensor weights = request_.weights.narrow(0, first, rows);
    for (int64_t pass = 0; pass < passes(); ++pass) {
      loss_.narrow(0, pass * positions() + first, rows).mul_(weights);
      if (request_.gradient()) gradients.narrow(0, pass * rows, rows).mul_(weights.unsqueeze(1));
    }
  }

  void assign_hidden_gradient(const Tensor& gradient, int64_t first, int64_t rows) {
    for (int64_t pass = 0; pass < passes(); ++pass) {
      assign_product(hidden_gradient.narrow(0, pass * positions() + first, rows), gradient.narrow(0, pass * rows, rows),
                     request_.weight.t());
    }
  }

  // The targets and losses of rows [first, first + rows) of each pass.
  LossOutput output(int64_t first, int64_t rows) const {
    LossOutput made{
        .targets = targets().narrow(0, first, rows), .smoothing = request_.smoothing, .gradient = request_.gradient()};
    for (int64_t pass = 0; pass < passes(); ++pass) {
      made.loss.push_back(loss_.narrow(0, pass * positions() + first, rows));
      made.nll.push_back(nll_.narrow(0, pass * positions() + first, rows));
    }
    return made;
  }

  const Request& request_;
  bool rounds_;        // whether the logits' gradient is rounded to bfloat16
  int64_t block_ = 0;  // rows of a pass whose logits are computed at once
  Tensor loss_, nll_;  // [passes * N]
  Tensor logits_;      // [rows of a block, V]: all blocks reuse it, so that its memory pages are mapped once
  Tensor gradient_{};  // [rows of a chunk, V], if rounded
};

// The factor is not rounded: it can overflow float16 although the product does not, and bfloat16 has 8 bits of it.
Tensor multiplied(const Tensor& gradient, const Tensor& factor) {
  const at::ScalarType type = gradient.scalar_type();
  if (type != at::kHalf && type != at::kBFloat16) return gradient * factor.to(type);
  return (gradient.to(at::kFloat) * factor.to(at::kFloat)).to(type);
}

// hidden, weight and bias are separate arguments, so that autograd sees them; the computation uses those in the
// request.
struct FusedLoss : torch::autograd::Function<FusedLoss> {
  static variable_list forward(AutogradContext* context, const Tensor&, const Tensor&, const std::optional<Tensor>&,
                               const Request& request) {
    const c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
    ChunkedLoss sums(request);
    sums.run();
    if (request.weight_gradient) sums.weight_gradient = sums.weight_gradient.to(request.weight_type);
    context->save_for_backward({sums.hidden_gradient, sums.weight_gradient, sums.bias_gradient});
    context->saved_data["scale"] = request.gradient_scale;
    context->mark_non_differentiable({sums.nll, sums.rows()});
    return {sums.loss, sums.rows(), sums.nll};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(), "smoothed_cross_entropy has no second derivative");
    variable_list result = context->get_saved_variables();
    const double scale = context->saved_data.at("scale").toDouble();
    const Tensor missing = scale == 1 ? gradients[0] : gradients[0] / scale;
    for (Tensor& gradient : result) {
      if (gradient.defined()) gradient = multiplied(gradient, missing);
    }
    result.emplace_back();  // for the request
    return result;
  }
};

void check_arguments(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                     double label_smoothing, int64_t passes) {
  TORCH_CHECK(hidden.dim() == 2 && weight.dim() == 2 && hidden.size(1) == weight.size(1),
              "`hidden` [N, d] and `weight` [V, d] must agree in d, not be ", hidden.sizes(), " and ", weight.sizes());
  TORCH_CHECK(!bias.defined() || (bias.dim() == 1 && bias.size(0) == weight.size(0)), "`bias` must be [",
              weight.size(0), "], not ", bias.sizes());
  TORCH_CHECK(targets.scalar_type() == at::kLong && targets.dim() == 1 && passes * targets.size(0) == hidden.size(0),
              "`targets` must be int64 [", hidden.size(0) / passes, "], not ", targets.scalar_type(), " ",
              targets.sizes());
  TORCH_CHECK(label_smoothing >= 0 && label_smoothing < 1, "`label_smoothing` must be in [0, 1), not ",
              label_smoothing);
  if (!targets.is_cpu()) return;  // on other devices gather checks this itself
  const int64_t* ids = targets.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < targets.size(0); ++i) {
    TORCH_CHECK_INDEX(ids[i] >= 0 && ids[i] < weight.size(0), "a target must be in [0, ", weight.size(0), "), not ",
                      ids[i]);
  }
}

bool wants_gradient(const Tensor& tensor) {
  return at::GradMode::is_enabled() && tensor.defined() && tensor.requires_grad();
}

void check_distillation(const Distillation& distillation, int64_t positions, int64_t vocabulary) {
  TORCH_CHECK(distillation.weight >= 0 && distillation.weight <= 1,
              "the weight of the teachers must be in [0, 1], not ", distillation.weight);
  TORCH_CHECK(distillation.temperature > 0, "`temperature` must be above 0, not ", distillation.temperature);
  for (const TeacherOutput& teacher : distillation.teachers) {
    TORCH_CHECK(teacher.hidden.dim() == 2 && teacher.weight.dim() == 2 && teacher.hidden.size(0) == positions &&
                    teacher.weight.size(0) == vocabulary && teacher.hidden.size(1) == teacher.weight.size(1),
                "a teacher's `hidden` and `weight` must be [", positions, ", d] and [", vocabulary, ", d], not ",
                teacher.hidden.sizes(), " and ", teacher.weight.sizes());
  }
}

}  // namespace

LossSum cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                      const LossTerms& terms) {
  const Tensor ids = targets.contiguous(), &weights = terms.weights;
  TORCH_CHECK(terms.r_drop.value_or(0) >= 0, "`alpha` must be at least 0, not ", terms.r_drop.value_or(0));
  check_arguments(hidden, weight, bias, ids, terms.label_smoothing, terms.r_drop ? 2 : 1);
  check_distillation(terms.distillation, ids.size(0), weight.size(0));
  TORCH_CHECK(!weights.defined() || weights.sizes() == ids.sizes(), "`weights` must be ", ids.sizes(), ", not ",
              weights.sizes());
  const at::DeviceType device = hidden.device().type();
  const bool casts = at::autocast::is_autocast_available(device) && at::autocast::is_autocast_enabled(device) &&
                     hidden.scalar_type() != at::kDouble;
  const bool rounds = !casts && rounds_products() && hidden.is_cpu() && weight.scalar_type() == at::kFloat;
  const at::ScalarType type = casts ? at::autocast::get_autocast_dtype(device) : hidden.scalar_type();
  // cached_cast keeps the weight's copy for the update's other parts and for other users of the weight (a tied
  // embedding).
  const auto cast = [&](const Tensor& x) { return casts ? at::autocast::cached_cast(type, x, device) : x; };
  const Tensor cast_weight = cast(weight);
  TORCH_CHECK(rounds || cast_weight.scalar_type() == type, "`weight` must be of the type of `hidden`, ", type, ", not ",
              weight.scalar_type());
  const auto statistics_of = [type](const Tensor& x) { return x.defined() ? x.detach().to(statistics_type(type)) : x; };
  Distillation distillation = terms.distillation;
  for (TeacherOutput& teacher : distillation.teachers) {
    teacher = {.hidden = as_operand(teacher.hidden.detach().to(type).contiguous()),
               .weight = as_operand(cast(teacher.weight)).detach(),
               .bias = statistics_of(teacher.bias)};
  }
  const Request request{
      .hidden = as_operand(hidden.detach().to(type).contiguous()),
      .weight = as_operand(cast_weight).detach(),
      .bias = statistics_of(bias),
      .targets = ids,
      .weights = statistics_of(weights),
      .smoothing = terms.label_smoothing,
      .r_drop = terms.r_drop,
      .hidden_type = hidden.scalar_type(),
      .weight_type = weight.scalar_type(),
      .hidden_gradient = wants_gradient(hidden),
      .weight_gradient = wants_gradient(weight),
      .bias_gradient = wants_gradient(bias),
      .distillation = std::move(distillation),
      .gradient_scale = type == at::kHalf ? GradientScale::current() : 1,
  };
  const std::optional<Tensor> optional_bias = bias.defined() ? std::optional(bias) : std::nullopt;
  const variable_list sums = FusedLoss::apply(hidden, weight, optional_bias, request);
  return {.loss = sums[0], .rows = sums[1], .nll = sums[2]};
}

LossSum smoothed_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                               double label_smoothing, const Tensor& weights) {
  return cross_entropy(hidden, weight, bias, targets, {.label_smoothing = label_smoothing, .weights = weights});
}

LossSum r_drop_cross_entropy(const Tensor& hidden, const Tensor& weight, const Tensor& bias, const Tensor& targets,
                             double label_smoothing, double alpha, const Tensor& weights) {
  return cross_entropy(hidden, weight, bias, targets,
                       {.label_smoothing = label_smoothing, .r_drop = alpha, .weights = weights});
}

}  // namespace heed::nn
