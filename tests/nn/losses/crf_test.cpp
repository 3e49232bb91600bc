// The forward algorithm, Viterbi's and the marginals against all labelings of short sentences, one by one.
#include "heed_torch/nn/losses/crf.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <torch/torch.h>

namespace heed::nn {
namespace {

constexpr int64_t kLabels = 3;

struct Field {
  Field() : crf(kLabels) {
    const at::NoGradGuard no_grad;
    torch::manual_seed(5);
    for (const Tensor* parameter : {&crf->transitions, &crf->begin, &crf->end}) parameter->normal_();
    scores = torch::randn({2, 4, kLabels});
    labels = torch::tensor({{2, 0, 1, 1}, {1, 2, 0, 0}}, at::kLong);
    real = torch::tensor({{true, true, true, true}, {true, true, false, false}});
  }

  /// s(y) of the first words of a sentence.
  double score(int64_t sentence, const std::vector<int64_t>& y) const {
    double sum = crf->begin[y.front()].item<double>() + crf->end[y.back()].item<double>();
    for (size_t t = 0; t < y.size(); ++t) {
      sum += scores[sentence][static_cast<int64_t>(t)][y[t]].item<double>();
      if (t > 0) sum += crf->transitions[y[t - 1]][y[t]].item<double>();
    }
    return sum;
  }

  /// All labelings of so many words.
  static std::vector<std::vector<int64_t>> labelings(size_t words) {
    std::vector<std::vector<int64_t>> all{{}};
    for (size_t t = 0; t < words; ++t) {
      std::vector<std::vector<int64_t>> longer;
      for (const auto& begun : all) {
        for (int64_t label = 0; label < kLabels; ++label) {
          longer.push_back(begun);
          longer.back().push_back(label);
        }
      }
      all = longer;
    }
    return all;
  }

  Crf crf;
  Tensor scores, labels, real;
  std::vector<size_t> lengths{4, 2};
};

TEST(Crf, LossAndBestAndMarginalsAreThoseOfAllLabelings) {
  Field field;
  const Tensor loss = field.crf->loss(field.scores, field.labels, field.real);
  const Tensor best = field.crf->best(field.scores, field.real);
  const Tensor marginals = field.crf->marginals(field.scores, field.real);
  for (int64_t sentence = 0; sentence < 2; ++sentence) {
    const size_t words = field.lengths[static_cast<size_t>(sentence)];
    double total = 0, highest = -1e9;
    std::vector<int64_t> likeliest, given;
    std::vector<std::vector<double>> sums(words, std::vector<double>(kLabels));
    for (const auto& y : Field::labelings(words)) {
      const double score = field.score(sentence, y);
      total += std::exp(score);
      for (size_t t = 0; t < words; ++t) sums[t][static_cast<size_t>(y[t])] += std::exp(score);
      if (score > highest) likeliest = y;
      highest = std::max(highest, score);
    }
    for (size_t t = 0; t < words; ++t) given.push_back(field.labels[sentence][static_cast<int64_t>(t)].item<int64_t>());
    EXPECT_NEAR(loss[sentence].item<double>(), std::log(total) - field.score(sentence, given), 1e-5);
    for (size_t t = 0; t < words; ++t) {
      const auto word = static_cast<int64_t>(t);
      EXPECT_EQ(best[sentence][word].item<int64_t>(), likeliest[t]);
      for (int64_t label = 0; label < kLabels; ++label) {
        EXPECT_NEAR(marginals[sentence][word][label].item<double>(), sums[t][static_cast<size_t>(label)] / total, 1e-5);
      }
    }
  }
  EXPECT_EQ(best[1][2].item<int64_t>(), 0);
}

TEST(Crf, PaddingChangesNothing) {
  Field field;
  const Tensor all = field.crf->loss(field.scores, field.labels, field.real);
  const Tensor second = field.crf->loss(field.scores.slice(0, 1).slice(1, 0, 2),
                                        field.labels.slice(0, 1).slice(1, 0, 2), field.real.slice(0, 1).slice(1, 0, 2));
  EXPECT_EQ(all[1].item<float>(), second[0].item<float>());
  field.scores[1].slice(0, 2).fill_(1e4);
  EXPECT_EQ(all[1].item<float>(), field.crf->loss(field.scores, field.labels, field.real)[1].item<float>());
}

TEST(Crf, WithoutTransitionsItIsACrossEntropyOfEachWord) {
  Field field;
  field.crf = Crf(kLabels);
  const Tensor words = torch::nn::functional::cross_entropy(
      field.scores[0], field.labels[0], torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
  EXPECT_NEAR(field.crf->loss(field.scores, field.labels, field.real)[0].item<float>(), words.item<float>(), 1e-5);
}

TEST(Crf, ASentenceOfOneWord) {
  Field field;
  const Tensor one =
      field.crf->loss(field.scores.slice(1, 0, 1), field.labels.slice(1, 0, 1), field.real.slice(1, 0, 1));
  const Tensor sums = field.scores.select(1, 0) + field.crf->begin + field.crf->end;  // [S, labels]
  const Tensor expected = torch::logsumexp(sums, 1) - sums.gather(1, field.labels.slice(1, 0, 1)).squeeze(1);
  EXPECT_TRUE(torch::allclose(one, expected, 1e-5, 1e-6));
}

}  // namespace
}  // namespace heed::nn
