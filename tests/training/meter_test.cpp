#include "heed_torch/training/meter.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::training {
namespace {

data::StepBatch update_of(int64_t source, int64_t target) {
  return {.micro_batches = {}, .source_tokens = source, .target_tokens = target};
}

TEST(Meter, WeighsLossesByTokensAndCountsRealTokensASecond) {
  Meter meter;
  meter.add(update_of(50, 100), {.loss = 4, .nll = 2, .gradient_norm = 7, .bad_micro_batches = {}},
            {.data = 1, .forward = 2, .backward = 3, .optimizer = 4});
  meter.add(update_of(150, 300), {.loss = 2, .nll = 1, .gradient_norm = 5, .bad_micro_batches = {}},
            {.data = 0, .forward = 5, .backward = 4, .optimizer = 1});
  TrainingReport report{.skipped_steps = 3};
  meter.report(report);
  EXPECT_DOUBLE_EQ(report.objective, 2.5);
  EXPECT_DOUBLE_EQ(report.loss, 1.25);
  EXPECT_DOUBLE_EQ(report.gradient_norm, 5);
  EXPECT_DOUBLE_EQ(report.source_tokens_per_second, 10);
  EXPECT_DOUBLE_EQ(report.target_tokens_per_second, 20);
  EXPECT_DOUBLE_EQ(report.time.forward, 7);
  EXPECT_EQ(report.skipped_steps, 3);
}

TEST(Meter, AddsUpEachPartOfTheTime) {
  Meter meter;
  for (const double one : {1.0, 2.0}) {
    meter.add(update_of(1, 1), {.loss = 1, .bad_micro_batches = {}},
              {.data = one, .forward = 2 * one, .backward = 3 * one, .exchange = 4 * one, .optimizer = 5 * one});
  }
  TrainingReport report;
  meter.report(report);
  EXPECT_DOUBLE_EQ(report.time.data, 3);
  EXPECT_DOUBLE_EQ(report.time.forward, 6);
  EXPECT_DOUBLE_EQ(report.time.backward, 9);
  EXPECT_DOUBLE_EQ(report.time.exchange, 12);
  EXPECT_DOUBLE_EQ(report.time.optimizer, 15);
}

TEST(Meter, APreviewLeavesTheNextReportAsItWas) {
  Meter meter;
  meter.add(update_of(1, 1), {.loss = 9, .bad_micro_batches = {}}, {.forward = 1});
  TrainingReport preview, report;
  meter.preview(preview);
  EXPECT_DOUBLE_EQ(preview.objective, 9);
  meter.add(update_of(1, 1), {.loss = 1, .bad_micro_batches = {}}, {.forward = 2});
  meter.report(report);
  EXPECT_DOUBLE_EQ(report.objective, 5);
  EXPECT_DOUBLE_EQ(report.time.forward, 3);
}

TEST(Meter, BeginsAnewAfterAReport) {
  Meter meter;
  TrainingReport report;
  meter.add(update_of(1, 1), {.loss = 9, .bad_micro_batches = {}}, {.forward = 1});
  meter.report(report);
  meter.add(update_of(1, 1), {.loss = 1, .bad_micro_batches = {}}, {.forward = 2});
  meter.report(report);
  EXPECT_DOUBLE_EQ(report.objective, 1);
  EXPECT_DOUBLE_EQ(report.time.forward, 2);
}

TEST(Meter, KeepsTheLossOfSkippedUpdatesOut) {
  Meter meter;
  meter.add(update_of(1, 1), {.loss = 2, .bad_micro_batches = {}}, {.forward = 1});
  meter.add(update_of(1, 1), {.loss = NAN, .finite = false, .bad_micro_batches = {0}}, {.forward = 1});
  TrainingReport report;
  meter.report(report);
  EXPECT_DOUBLE_EQ(report.objective, 2);
  EXPECT_DOUBLE_EQ(report.target_tokens_per_second, 1);
}

}  // namespace
}  // namespace heed::training
