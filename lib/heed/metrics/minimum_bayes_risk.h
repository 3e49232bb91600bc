// Minimum Bayes risk: of several translations the one whose expected score is highest, where each of them may be the
// right one with a probability (Kumar and Byrne 2004, https://aclanthology.org/N04-1022; of samples Eikema and Aziz
// 2022, https://arxiv.org/abs/2108.04718).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heed/metrics/metric.h"

namespace heed::metrics {

/// Of each text h the sum over the texts r of weight(r) * score of h with the reference r, as sentences. weights: of
/// each text, at least 0 and not all 0; they are made to add up to 1. Equal texts are compared once, with the sum of
/// their weights.
std::vector<double> expected_scores(const Metric& metric, std::span<const std::string> texts,
                                    std::span<const double> weights);

/// The place of the highest; of equal ones the first. At least one.
size_t highest(std::span<const double> scores);

}  // namespace heed::metrics
