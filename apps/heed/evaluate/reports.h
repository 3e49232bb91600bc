// The tables, figures and pages of `heed evaluate --by-length`, `--confusion` and `--report`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evaluate/evaluate_options.h"
#include "evaluate/evaluation.h"
#include "heed/core/files/atomic_file.h"
#include "heed/metrics/labels/confusion.h"

namespace heed::apps {

/// The length of each line of the file in `options`, or else of the first reference. Throws FileError, InputError.
std::vector<int64_t> line_lengths(const ByLengthOptions& options, const metrics::References& references);
/// What these lengths are: "source length in words".
std::string axis_label(const ByLengthOptions& options);

/// Scores by sentence length: one table per metric. Writes and commits the figure unless it is null. Throws InputError
/// unless a source file has as many lines as there are references; FileError.
std::string length_report(const ByLengthOptions& options, const Evaluation& evaluation, AtomicFile* figure);

/// Which classes a system confuses: precision, recall, F1 and support of each class, and the confusion matrix. If the
/// matrix is too wide, the most frequent mistakes are listed instead. Writes and commits the figure unless it is null.
/// There must be at least one class. Throws FileError, and ConfigError if the figure has too many classes.
std::string confusion_report(const metrics::Confusion& confusion, int decimals, AtomicFile* figure);

/// The page of `--report` (heed/report/pages/evaluation.js). Writes and commits it. Throws FileError; InputError unless
/// the source file has as many lines as there are references.
void write_evaluation_page(const EvaluateOptions& options, const Evaluation& evaluation, AtomicFile& page);

}  // namespace heed::apps
