// Compares the best models of several trainings by their translations of the same validation text.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heed/report/run_page.h"

namespace heed::report {

/// BLEU and chrF of each, with bootstrap confidence intervals and the p-values of a paired bootstrap against the first
/// (metrics/significance), as JSON: systems, metrics, samples, lines. Needs `valid.references` and `valid.translations`
/// of at least two trainings, with the same references. Otherwise {"reason": ...}. BLEU has the options of the first
/// training's [valid] section. Throws FileError and InputError for files that cannot be read.
std::string compare_runs(std::span<const Run> runs, int64_t threads = 1);

}  // namespace heed::report
