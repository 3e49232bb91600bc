#include "heed_torch/training/stopping.h"

#include <gtest/gtest.h>

#include <limits>

#include "heed/core/error.h"

namespace heed::training {
namespace {

std::string refusal(const TrainOptions& train, const ValidationOptions& valid, const LogOptions& log = {},
                    bool has_validation = true) {
  try {
    validate(train, valid, log, has_validation);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(EarlyStopping, CountsValidationsWithoutABetterOne) {
  EarlyStopping patience({.metric = ValidationMetric::Bleu, .patience = 2});
  EXPECT_TRUE(patience.observe(10));
  EXPECT_FALSE(patience.observe(10));
  EXPECT_TRUE(patience.observe(11));
  EXPECT_FALSE(patience.observe(9));
  EXPECT_FALSE(patience.exhausted());
  EXPECT_FALSE(patience.observe(10.9));
  EXPECT_TRUE(patience.exhausted());
  EXPECT_EQ(patience.reason(), "no better bleu in 2 validations");
}

TEST(EarlyStopping, LowerIsBetterForLossAndPerplexity) {
  for (const auto metric : {ValidationMetric::Loss, ValidationMetric::Perplexity}) {
    EarlyStopping patience({.metric = metric});
    EXPECT_TRUE(patience.observe(3));
    EXPECT_TRUE(patience.observe(2));
    EXPECT_FALSE(patience.observe(2.5));
    EXPECT_EQ(patience.state().best_score, -2);
  }
}

TEST(EarlyStopping, WantsTheMinimumGain) {
  EarlyStopping patience({.metric = ValidationMetric::Bleu, .min_delta = 0.5});
  EXPECT_TRUE(patience.observe(10));
  EXPECT_FALSE(patience.observe(10.4));
  EXPECT_TRUE(patience.observe(10.6));
}

TEST(EarlyStopping, IsNeverImpressedByNan) {
  EarlyStopping patience({.metric = ValidationMetric::Loss, .patience = 1});
  EXPECT_FALSE(patience.observe(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(patience.observe(-std::numeric_limits<double>::infinity()));
  EXPECT_TRUE(patience.observe(100));
}

/// BLEU of a model that has learned nothing is noise, while its loss falls.
TEST(EarlyStopping, LossDecidesBetweenScoresThatAreEqualToATenth) {
  using Comparison = EarlyStopping::Comparison;
  EarlyStopping patience({.metric = ValidationMetric::Bleu, .patience = 2});
  EXPECT_TRUE(patience.observe(0.01, 6.16));
  EXPECT_EQ(patience.compare(0.00, 5.98), Comparison::BetterByLoss);
  EXPECT_EQ(patience.compare(0.01, 6.16), Comparison::NotBetter);
  EXPECT_EQ(patience.compare(0.04, 6.17), Comparison::NotBetter);
  EXPECT_EQ(patience.compare(0.06, 6.17), Comparison::Better);
  EXPECT_TRUE(patience.observe(0.00, 5.98));
  EXPECT_EQ(patience.state().since_best, 0);
  EXPECT_FALSE(patience.observe(0.04, 6.00));
  EXPECT_EQ(patience.state().best_loss, 5.98);
}

TEST(EarlyStopping, EveryPercentageIsComparedToATenthAndNothingElse) {
  for (const auto metric : {ValidationMetric::Bleu, ValidationMetric::Chrf, ValidationMetric::Accuracy,
                            ValidationMetric::F1, ValidationMetric::Wer, ValidationMetric::Cer}) {
    EarlyStopping patience({.metric = metric});
    patience.observe(30.04, 2);
    const double better = is_better_when_higher(metric) ? 30.03 : 30.0;
    EXPECT_TRUE(patience.observe(better, 1.9)) << metric_name(metric);
    EXPECT_FALSE(patience.observe(30.01, 1.9)) << metric_name(metric);
  }
  for (const auto metric :
       {ValidationMetric::Loss, ValidationMetric::Perplexity, ValidationMetric::Mse, ValidationMetric::Mae}) {
    EarlyStopping patience({.metric = metric});
    patience.observe(30.04, 2);
    EXPECT_TRUE(patience.observe(30.03, 3)) << metric_name(metric);
    EXPECT_FALSE(patience.observe(30.035, 1)) << metric_name(metric);
  }
}

TEST(EarlyStopping, OfAMinimumGainDoesNotAskTheLoss) {
  EarlyStopping patience({.metric = ValidationMetric::Bleu, .min_delta = 0.01});
  EXPECT_TRUE(patience.observe(10, 3));
  EXPECT_FALSE(patience.observe(10, 2));
  EXPECT_TRUE(patience.observe(10.02, 4)) << "less than a tenth, but it was asked for";
}

/// It could not be read back from a checkpoint.
TEST(EarlyStopping, KeepsNoLossThatIsNotFinite) {
  EarlyStopping patience({.metric = ValidationMetric::Bleu});
  EXPECT_TRUE(patience.observe(10, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(patience.state().best_loss);
  EXPECT_FALSE(patience.observe(10, 2));
}

TEST(EarlyStopping, OfAnOlderCheckpointKnowsNoLoss) {
  EarlyStopping patience({.metric = ValidationMetric::Bleu});
  patience.load({.best_score = 10});
  EXPECT_FALSE(patience.observe(10, 2));
  EXPECT_TRUE(patience.observe(10.1, 3));
  EXPECT_TRUE(patience.observe(10.1, 2));
}

TEST(EarlyStopping, OfZeroNeverRunsOut) {
  EarlyStopping patience({.patience = 0});
  for (int i = 0; i < 50; ++i) patience.observe(1);
  EXPECT_FALSE(patience.exhausted());
}

TEST(EarlyStopping, GoesOnFromItsState) {
  const ValidationOptions options{.metric = ValidationMetric::Bleu, .patience = 2};
  EarlyStopping first(options);
  first.observe(5);
  first.observe(4);
  EarlyStopping second(options);
  second.load(first.state());
  EXPECT_FALSE(second.observe(4.5));
  EXPECT_TRUE(second.exhausted());
}

TEST(IsDue, AtEveryMultiple) {
  EXPECT_FALSE(is_due({100}, {98}, {99}));
  EXPECT_TRUE(is_due({100}, {99}, {100}));
  EXPECT_FALSE(is_due({100}, {100}, {101}));
  EXPECT_TRUE(is_due({1000, AmountUnit::Tokens}, {1, 990, 0}, {2, 1020, 0}));
  EXPECT_TRUE(is_due({0.5, AmountUnit::Epochs}, {1, 0, 0.49}, {2, 0, 0.51}));
}

TEST(StopRequest, IsSeenOnceMade) {
  StopRequest stop;
  EXPECT_FALSE(stop.requested());
  stop.request();
  EXPECT_TRUE(stop.requested());
}

TEST(TrainOptions, RefusesWhatDoesNotAgree) {
  EXPECT_EQ(refusal({}, {}), "accepted");
  EXPECT_EQ(refusal({}, {}, {}, false), "`valid.patience` needs validation text; give it, or set valid.patience to 0");
  EXPECT_EQ(refusal({.schedule = PlateauSchedule{}}, {.patience = 0}, {}, false),
            "`train.schedule.type` must be another than plateau without validation text");
  EXPECT_EQ(refusal({}, {.translate = NoTranslation{}}),
            "`valid.metric` must be loss or perplexity when valid.translate is none");
  EXPECT_EQ(refusal({}, {.every = {0}}), "`valid.every` must be above 0");
  EXPECT_EQ(refusal({}, {}, {.every = {0}}), "`log.every` must be above 0");
  EXPECT_EQ(refusal({.save_every = Amount{0}}, {}), "`train.save-every` must be above 0, or none");
}

TEST(TrainOptions, TheLimitOfADecayIsTheFirstGiven) {
  EXPECT_EQ(training_limit({.max_steps = 7, .max_epochs = 2}), Amount{7});
  EXPECT_EQ(training_limit({.max_epochs = 2, .max_tokens = 1000}), (Amount{1000, AmountUnit::Tokens}));
  EXPECT_EQ(training_limit({.max_epochs = 2}), (Amount{2, AmountUnit::Epochs}));
  EXPECT_FALSE(training_limit({.max_minutes = 5}));
}

}  // namespace
}  // namespace heed::training
