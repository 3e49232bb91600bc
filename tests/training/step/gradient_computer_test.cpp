#include "heed_torch/training/step/gradient_computer.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <torch/torch.h>

#include "heed/core/scope_exit.h"
#include "heed_torch/nn/fused/fused_attention.h"
#include "heed_torch/nn/norm.h"
#include "heed_torch/nn/random/dropout.h"
#include "support/rank_threads.h"

namespace heed::training {
namespace {

/// A model of two matrices: the hidden state of a target position is tanh(W e[previous word]), with dropout.
struct TinyModel {
  Tensor embedding, weight;
  double dropout = 0.3;

  static TinyModel make() {
    torch::manual_seed(3);
    return {torch::randn({11, 6}).requires_grad_(), torch::randn({6, 6}).requires_grad_()};
  }
  /// Its own tensors on the same storage.
  TinyModel copy() const { return {embedding.detach().requires_grad_(), weight.detach().requires_grad_(), dropout}; }

  std::vector<Tensor> parameters() const { return {embedding, weight}; }
  nn::LossSum loss(const data::MicroBatch& batch) const {
    const data::IdMatrix& target = batch.tokens();
    const Tensor ids = torch::tensor(target.ids).view({target.rows, target.columns});
    const Tensor previous = ids.slice(1, 0, -1).reshape(-1);
    const Tensor wanted = ids.slice(1, 1).reshape(-1);
    const Tensor states = nn::dropout(torch::embedding(embedding, previous), dropout, true).matmul(weight).tanh();
    return nn::smoothed_cross_entropy(states, embedding, {}, wanted, 0.1);
  }
  Replica replica() const {
    return {parameters(),
            [model = *this](const data::MicroBatch& batch, const StepInputs&) { return model.loss(batch); }};
  }
};

/// `rows` sentences of five words, cut into `parts` batches.
data::StepBatch training_step(int64_t rows, int64_t parts) {
  data::StepBatch step;
  for (int64_t part = 0; part < parts; ++part) {
    data::MicroBatch batch;
    data::IdMatrix target{.rows = 0, .columns = 6, .ids = {}};
    for (int64_t row = part * rows / parts; row < (part + 1) * rows / parts; ++row) {
      for (int64_t column = 0; column < target.columns; ++column) target.ids.push_back((7 * row + 3 * column) % 10 + 1);
      batch.lines.push_back(row);
    }
    target.rows = static_cast<int64_t>(batch.lines.size());
    batch.target_tokens = 5 * target.rows;
    batch.target = data::TokenTargets{std::move(target)};
    step.target_tokens += batch.target_tokens;
    step.micro_batches.push_back(std::move(batch));
  }
  return step;
}

struct Outcome {
  StepResult computed;
  std::vector<Tensor> gradients;
};

Outcome compute(const TinyModel& model, const data::StepBatch& step, int64_t replicas, ComputingOptions options = {},
                double scale = 1, uint64_t number = 5,
                const std::shared_ptr<distributed::RankGroup>& ranks = distributed::one_rank()) {
  std::vector<Replica> copies;
  for (int64_t i = 0; i < replicas; ++i) copies.push_back(replicas == 1 ? model.replica() : model.copy().replica());
  GradientComputer computer(model.parameters(), std::move(copies), options, ranks);
  Outcome outcome{.computed = computer.compute(step, {.number = number, .loss_scale = scale}), .gradients = {}};
  for (const Tensor& parameter : model.parameters()) outcome.gradients.push_back(parameter.grad().clone());
  return outcome;
}

double distance(const Outcome& one, const Outcome& other) {
  double largest = 0;
  for (size_t i = 0; i < one.gradients.size(); ++i) {
    largest = std::max(largest, (one.gradients[i] - other.gradients[i]).abs().max().item<double>());
  }
  return largest;
}

TEST(GradientComputer, PartsDoNotChangeTheGradient) {
  TinyModel model = TinyModel::make();
  model.dropout = 0;
  const Outcome whole = compute(model, training_step(12, 1), 1);
  for (const int64_t parts : {2, 3, 5}) {
    const Outcome cut = compute(model, training_step(12, parts), 1);
    EXPECT_LT(distance(whole, cut), 1e-6) << parts;
    EXPECT_NEAR(cut.computed.loss, whole.computed.loss, 1e-6) << parts;
    EXPECT_NEAR(cut.computed.gradient_norm, whole.computed.gradient_norm, 1e-6) << parts;
  }
  EXPECT_GT(whole.gradients[0].abs().max().item<double>(), 1e-3);
}

TEST(GradientComputer, LossAndGradientArePerTargetToken) {
  TinyModel model = TinyModel::make();
  model.dropout = 0;
  const data::StepBatch step = training_step(4, 1);
  const Outcome outcome = compute(model, step, 1);
  TinyModel reference = model.copy();
  const nn::LossSum sum = reference.loss(step.micro_batches[0]);
  (sum.loss / 20).backward();
  EXPECT_NEAR(outcome.computed.loss, sum.loss.item<double>() / 20, 1e-6);
  EXPECT_NEAR(outcome.computed.nll, sum.nll.item<double>() / 20, 1e-6);
  EXPECT_TRUE(torch::allclose(outcome.gradients[1], reference.weight.grad(), 1e-5, 1e-7));
}

TEST(GradientComputer, ReplicasGiveTheSameBits) {
  const TinyModel model = TinyModel::make();
  for (const int64_t parts : {2, 3, 7}) {
    const data::StepBatch step = training_step(21, parts);
    const Outcome one = compute(model, step, 1);
    for (const int64_t replicas : {2, 3, 4}) {
      const Outcome several = compute(model, step, replicas, {.threads = 1});
      EXPECT_EQ(distance(one, several), 0) << parts << " parts, " << replicas << " replicas";
      EXPECT_EQ(one.computed.loss, several.computed.loss);
      EXPECT_EQ(one.computed.gradient_norm, several.computed.gradient_norm);
    }
  }
}

/// Operations of LibTorch and kernels of heed, whose loops both take their number of threads from the calling thread.
Tensor loops() {
  const Tensor states = torch::ones({4, 2, 3, 1, 16}, at::kBFloat16);
  nn::Norm norm(nn::NormOptions{.d_model = 16});
  return torch::ones({50, 50}).mm(torch::ones({50, 50})).sum() + norm(states).sum() +
         nn::fused_attention({.queries = states, .memory = {}}, {}, {.scale = 1}).sum();
}

TEST(GradientComputer, AReplicaKeepsItsNumberOfThreads) {
  const ScopeExit restore([before = at::get_num_threads()] { at::set_num_threads(before); });
  at::set_num_threads(3);
  const TinyModel model = TinyModel::make();
  std::array<std::vector<int>, 2> threads;  // seen by each replica, before and after the loss of a micro-batch
  std::vector<Replica> replicas;
  for (std::vector<int>& seen : threads) {
    const TinyModel own = model.copy();
    replicas.push_back({own.parameters(), [&seen, own](const data::MicroBatch& batch, const StepInputs&) {
                          seen.push_back(at::get_num_threads());
                          nn::LossSum sum = own.loss(batch);
                          sum.loss = sum.loss + 0 * loops();
                          seen.push_back(at::get_num_threads());
                          return sum;
                        }});
  }
  GradientComputer computer(model.parameters(), std::move(replicas), {.threads = 1});
  computer.compute(training_step(12, 6), {.number = 5});
  EXPECT_EQ(threads[0].size() + threads[1].size(), 12u);  // any replica can compute a micro-batch
  for (const std::vector<int>& seen : threads) {
    for (const int count : seen) EXPECT_EQ(count, 1);
  }
  EXPECT_EQ(at::get_num_threads(), 3);
}

TEST(GradientComputer, RanksGiveTheSameBitsWithAnyNumberOfReplicas) {
  TinyModel model = TinyModel::make();
  model.embedding = torch::randn({kBucket / 6 + 1000, 6}).requires_grad_();  // two buckets
  const data::StepBatch step = training_step(12, 6);
  for (const auto form : {distributed::GradientFormat::Fp32, distributed::GradientFormat::Bf16}) {
    const Outcome alone = compute(model, step, 1, {.gradients = form});
    for (const int64_t replicas : {1, 2, 3}) {
      testing::on_ranks(2, [&](const auto& ranks) {
        const TinyModel own = model.copy();
        const Outcome shared = compute(own, step, replicas, {.gradients = form}, 1, 5, ranks);
        EXPECT_EQ(distance(alone, shared), 0) << replicas;
        EXPECT_EQ(shared.computed.loss, alone.computed.loss);
        EXPECT_EQ(shared.computed.gradient_norm, alone.computed.gradient_norm);
        EXPECT_GE(shared.computed.backward_seconds, 0);
      });
    }
  }
}

/// A group that keeps the first number of all that is sent.
class Recorded : public distributed::RankGroup {
 public:
  explicit Recorded(std::shared_ptr<distributed::RankGroup> ranks) : ranks_(std::move(ranks)) {}
  int64_t rank() const override { return ranks_->rank(); }
  int64_t size() const override { return ranks_->size(); }
  distributed::Wait exchange(Tensor received, Tensor sent, std::vector<int64_t> received_counts,
                             std::vector<int64_t> sent_counts) override {
    numbers.push_back(std::lround(sent[0].item<double>()));
    return ranks_->exchange(received, sent, std::move(received_counts), std::move(sent_counts));
  }
  void broadcast(Tensor values) override { ranks_->broadcast(values); }
  void add(Tensor values) override { ranks_->add(values); }
  std::shared_ptr<BroadcastStream> open_broadcast() override { return ranks_->open_broadcast(); }
  void give_up(const std::string& reason) override { ranks_->give_up(reason); }
  void leave() override { ranks_->leave(); }

  std::vector<int64_t> numbers;

 private:
  std::shared_ptr<distributed::RankGroup> ranks_;
};

// A bucket's total follows when the next bucket was sent.
TEST(GradientComputer, SendsBucketsInTheOrderInWhichTheyAreComplete) {
  const data::StepBatch step = training_step(2, 2);
  testing::on_ranks(2, [&](const auto& ranks) {
    std::vector<Tensor> parameters;
    for (const double value : {1, 3, 9}) parameters.push_back(torch::full({kBucket}, value).requires_grad_());
    const Replica replica{parameters, [&](const data::MicroBatch&, const StepInputs&) {
                            // Each one's gradient is 27 over its value; that of the first one used comes last.
                            Tensor product = torch::full({}, static_cast<double>(kBucket) * step.weight());
                            for (const size_t next : {1, 2, 0}) product = product * parameters[next].mean();
                            return nn::LossSum{.loss = product, .rows = {}, .nll = product.detach()};
                          }};
    const auto recorded = std::make_shared<Recorded>(ranks);
    GradientComputer computer(parameters, {replica}, {}, recorded);
    computer.compute(step, {.number = 1});
    EXPECT_EQ(recorded->numbers, (std::vector<int64_t>{3, 9, 6, 27, 18, 54})) << "from the last to the first";
    recorded->numbers.clear();
    computer.compute(step, {.number = 2});
    EXPECT_EQ(recorded->numbers, (std::vector<int64_t>{27, 3, 54, 9, 6, 18}));
  });
}

TEST(GradientComputer, DrawsDependOnSeedUpdateAndPart) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(4, 2);
  const Outcome first = compute(model, step, 1);
  EXPECT_EQ(distance(first, compute(model, step, 1)), 0);
  EXPECT_GT(distance(first, compute(model, step, 1, {.seed = 1})), 0);
  EXPECT_GT(distance(first, compute(model, step, 1, {}, 1, 6)), 0);
  data::StepBatch alone = training_step(4, 1), twice = training_step(4, 1);
  twice.micro_batches.push_back(twice.micro_batches.front());
  twice.target_tokens *= 2;
  EXPECT_GT(distance(compute(model, alone, 1), compute(model, twice, 1)), 1e-4) << "the parts have masks of their own";
}

TEST(GradientComputer, ClipsToTheNorm) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(4, 2);
  const Outcome free = compute(model, step, 1);
  const double norm =
      std::sqrt(free.gradients[0].square().sum().item<double>() + free.gradients[1].square().sum().item<double>());
  EXPECT_NEAR(free.computed.gradient_norm, norm, 1e-5);
  const Outcome clipped = compute(model, step, 1, {.clip_norm = norm / 4});
  EXPECT_NEAR(clipped.computed.gradient_norm, norm, 1e-5);
  EXPECT_TRUE(torch::allclose(clipped.gradients[0] * 4, free.gradients[0], 1e-4, 1e-6));
  EXPECT_EQ(distance(free, compute(model, step, 1, {.clip_norm = norm * 2})), 0);
}

TEST(GradientComputer, LossScaleCancelsOut) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(4, 2);
  const Outcome plain = compute(model, step, 1);
  const Outcome scaled = compute(model, step, 1, {}, 1024);
  EXPECT_LT(distance(plain, scaled), 1e-6);
  EXPECT_NEAR(plain.computed.gradient_norm, scaled.computed.gradient_norm, 1e-5);
}

TEST(GradientComputer, LossScaleCancelsOutOfWhatIsClipped) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(4, 2);
  const double norm = compute(model, step, 1).computed.gradient_norm;
  const Outcome plain = compute(model, step, 1, {.clip_norm = norm / 4});
  const Outcome scaled = compute(model, step, 1, {.clip_norm = norm / 4}, 1024);
  EXPECT_LT(distance(plain, scaled), 1e-6);
}

TEST(GradientComputer, LowPrecisionStaysNear) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(12, 3);
  const Outcome full = compute(model, step, 1);
  for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
    for (const int64_t replicas : {1, 2}) {
      const Outcome low =
          compute(model, step, replicas, {.precision = precision}, precision == Precision::Fp16 ? 1024 : 1);
      const double difference = distance(full, low);
      EXPECT_GT(difference, 0);
      EXPECT_LT(difference, 0.01 * full.computed.gradient_norm);
    }
  }
}

std::map<const void*, int>& casts() {
  static std::map<const void*, int> counts;  // by the memory that was cast
  return counts;
}

std::unique_ptr<at::ObserverContext> count_cast(const at::RecordFunction& function) {
  if (std::string_view(function.name()) == "aten::_to_copy") ++casts()[function.inputs()[0].toTensor().data_ptr()];
  return nullptr;
}

TEST(GradientComputer, APartsCastOfAParameterServesTheOthers) {
  const TinyModel model = TinyModel::make();
  const data::StepBatch step = training_step(12, 3);
  casts().clear();
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback(count_cast).needsInputs(true));
  compute(model, step, 1, {.precision = Precision::Fp16}, 1024);
  at::removeCallback(handle);
  for (const Tensor& parameter : model.parameters()) EXPECT_EQ(casts()[parameter.data_ptr()], 1);
}

TEST(GradientComputer, NamesThePartsWhoseLossIsNotFinite) {
  const TinyModel model = TinyModel::make();
  GradientComputer computer(model.parameters(),
                            {{model.parameters(),
                              [&](const data::MicroBatch& batch, const StepInputs&) {
                                nn::LossSum sum = model.loss(batch);
                                if (batch.lines[0] == 4) sum.loss = sum.loss * std::numeric_limits<double>::quiet_NaN();
                                return sum;
                              }}},
                            {});
  const StepResult computed = computer.compute(training_step(6, 3), {.number = 1});
  EXPECT_FALSE(computed.finite);
  EXPECT_EQ(computed.bad_micro_batches, (std::vector<size_t>{2}));
  const StepResult good = computer.compute(training_step(4, 2), {.number = 2});
  EXPECT_TRUE(good.finite);
  EXPECT_TRUE(std::isfinite(model.weight.grad().sum().item<double>()));
}

TEST(GradientComputer, TellsItsReplicasTheInputsOfTheStep) {
  const TinyModel model = TinyModel::make();
  std::vector<double> told;
  std::vector<bool> read_twice;
  GradientComputer computer(model.parameters(),
                            {{model.parameters(),
                              [&](const data::MicroBatch& batch, const StepInputs& inputs) {
                                told.push_back(inputs.teacher_forcing);
                                read_twice.push_back(inputs.r_drop);
                                return model.loss(batch);
                              }}},
                            {});
  computer.compute(training_step(4, 2), {.number = 1, .teacher_forcing = 0.25, .r_drop = false});
  computer.compute(training_step(4, 1), {.number = 2});
  EXPECT_EQ(told, (std::vector<double>{0.25, 0.25, 1}));
  EXPECT_EQ(read_twice, (std::vector<bool>{false, false, true}));
}

TEST(GradientComputer, AFailingReplicaEndsTheUpdateAndNotTheThreads) {
  const TinyModel model = TinyModel::make();
  bool fail = true;
  std::vector<Replica> replicas;
  for (int i = 0; i < 3; ++i) {
    replicas.push_back(
        {model.copy().parameters(), [&, copy = model.copy()](const data::MicroBatch& batch, const StepInputs&) {
           if (fail && batch.lines[0] == 0) throw std::runtime_error("broken part");
           return copy.loss(batch);
         }});
  }
  GradientComputer computer(model.parameters(), std::move(replicas), {});
  EXPECT_THROW(computer.compute(training_step(8, 4), {.number = 1}), std::runtime_error);
  fail = false;
  EXPECT_TRUE(computer.compute(training_step(8, 4), {.number = 1}).finite);
}

TEST(ReplicaThreads, HaveTheirOwnNumberOfThreadsAndKeepIt) {
  const int before = at::get_num_threads();
  const int ours = 2;
  at::set_num_threads(ours);
  ReplicaThreads threads(3, 1);
  std::vector<std::thread::id> first(3), second(3);
  std::vector<int> numbers(3);
  threads.run([&](int64_t i) {
    first[static_cast<size_t>(i)] = std::this_thread::get_id();
    numbers[static_cast<size_t>(i)] = at::get_num_threads();
  });
  threads.run([&](int64_t i) { second[static_cast<size_t>(i)] = std::this_thread::get_id(); });
  EXPECT_EQ(numbers, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(first, second);
  EXPECT_NE(first[0], std::this_thread::get_id());
  EXPECT_EQ(at::get_num_threads(), ours);
  at::set_num_threads(before);
}

// Replicas rely on it: each one's backward pass stays on its own thread, with its own number of threads.
TEST(ReplicaThreads, TheBackwardPassRunsInTheCallingThread) {
  std::thread::id seen;
  std::thread caller([&] {
    const Tensor x = torch::ones(3).requires_grad_();
    x.register_hook([&](const Tensor& gradient) {
      seen = std::this_thread::get_id();
      return gradient;
    });
    const auto ours = std::this_thread::get_id();
    x.square().sum().backward();
    EXPECT_EQ(seen, ours);
  });
  caller.join();
}

}  // namespace
}  // namespace heed::training
