// Rows of past steps, against hypotheses that keep copies of theirs.
#include "heed/engine/common/beam_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heed::engine {
namespace {

constexpr int64_t kWidth = 3;

/// The first number of every row that leads to a beam's hypothesis.
std::vector<float> seen(BeamCache& past, int64_t layer, int64_t beam) {
  std::vector<float> numbers;
  for (const int64_t place : past.places(beam)) numbers.push_back(past.rows(layer)[place]);
  return numbers;
}

/// A step in which every beam writes a number of its own.
void write(BeamCache& past, int64_t layers, std::span<const float> numbers) {
  past.append();
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (size_t b = 0; b < numbers.size(); ++b) {
      float* row = past.rows(layer) + past.places(static_cast<int64_t>(b)).back();
      std::fill_n(row, kWidth, numbers[b] + 1000.0F * static_cast<float>(layer));
    }
  }
}

std::vector<float> with_layer(std::vector<float> numbers, int64_t layer) {
  for (float& number : numbers) number += 1000.0F * static_cast<float>(layer);
  return numbers;
}

size_t rows_of(const BeamCache& past, int64_t beams) {
  int64_t last = 0;
  for (int64_t b = 0; b < beams; ++b) last = std::max(last, *std::ranges::max_element(past.places(b)));
  return static_cast<size_t>(last / kWidth + 1);
}

TEST(BeamCache, KeepsThePathOfEveryHypothesis) {
  constexpr int64_t kLayers = 2, kBeam = 4;
  std::mt19937 random(7);
  BeamCache past(kLayers, kBeam, kWidth, BeamCache::Begin::Empty);
  std::vector<std::vector<float>> copies(kBeam);
  float next = 1;
  for (int step = 0; step < 200; ++step) {
    std::vector<float> numbers;
    for (auto& copy : copies) copy.push_back(numbers.emplace_back(next++));
    write(past, kLayers, numbers);
    std::vector<int32_t> parents;
    std::vector<std::vector<float>> chosen;
    for (int64_t b = 0; b < kBeam; ++b) {
      parents.push_back(static_cast<int32_t>(random() % kBeam));
      chosen.push_back(copies[static_cast<size_t>(parents.back())]);
    }
    past.select(parents);
    copies = std::move(chosen);
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      for (int64_t b = 0; b < kBeam; ++b) {
        ASSERT_EQ(seen(past, layer, b), with_layer(copies[static_cast<size_t>(b)], layer)) << "step " << step;
      }
    }
  }
}

TEST(BeamCache, HypothesesOfOneParentShareItsRows) {
  BeamCache past(1, 3, kWidth, BeamCache::Begin::Empty);
  write(past, 1, std::vector<float>{1, 2, 3});
  past.select(std::vector<int32_t>{1, 1, 0});
  write(past, 1, std::vector<float>{4, 5, 6});
  EXPECT_EQ(seen(past, 0, 0), (std::vector<float>{2, 4}));
  EXPECT_EQ(seen(past, 0, 1), (std::vector<float>{2, 5}));
  EXPECT_EQ(seen(past, 0, 2), (std::vector<float>{1, 6}));
  EXPECT_EQ(past.places(0).front(), past.places(1).front());
}

TEST(BeamCache, RowsThatNoHypothesisNeedsAreUsedAgain) {
  constexpr int64_t kBeam = 5, kSteps = 50;
  BeamCache past(1, kBeam, kWidth, BeamCache::Begin::Empty);
  for (int64_t step = 0; step < kSteps; ++step) {
    past.append();
    past.select(std::vector<int32_t>(kBeam, 2));  // all continue the same
  }
  past.append();
  EXPECT_EQ(rows_of(past, kBeam), kSteps + kBeam);
}

TEST(BeamCache, WithoutASelectionEveryRowStays) {
  BeamCache past(1, 2, kWidth, BeamCache::Begin::Empty);
  write(past, 1, std::vector<float>{1, 2});
  write(past, 1, std::vector<float>{3, 4});
  EXPECT_EQ(seen(past, 0, 0), (std::vector<float>{1, 3}));
  EXPECT_EQ(seen(past, 0, 1), (std::vector<float>{2, 4}));
}

TEST(BeamCache, MayBeginWithARowOfZerosOfAllBeams) {
  BeamCache past(2, 2, kWidth, BeamCache::Begin::RowOfZeros);
  write(past, 2, std::vector<float>{1, 2});
  past.select(std::vector<int32_t>{1, 1});
  EXPECT_EQ(seen(past, 0, 0), (std::vector<float>{0, 2}));
  EXPECT_EQ(seen(past, 1, 1), (std::vector<float>{0, 1002}));
  EXPECT_EQ(past.places(0).front(), past.places(1).front());
}

}  // namespace
}  // namespace heed::engine
