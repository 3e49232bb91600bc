// Minimum Bayes risk decoding: chooses the translation with the highest expected score, with all candidates as
// weighted references (Kumar and Byrne 2004, https://aclanthology.org/N04-1022; for samples: Eikema and Aziz 2022,
// https://arxiv.org/abs/2108.04718).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// For each text h, the sum over the texts r of weight(r) * sentence score of h with reference r. weights: one per
/// text, at least 0 and not all 0; they are normalized to sum to 1. Equal texts are compared once, with the sum of
/// their weights.
std::vector<double> expected_scores(const Metric& metric, std::span<const std::string> texts,
                                    std::span<const double> weights);

/// The index of the highest score; ties: the first one. scores: at least one.
size_t highest(std::span<const double> scores);

}  // namespace heed::metrics
