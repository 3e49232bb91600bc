// The tables and figures of `heed evaluate --by-length` and `--confusion`.
#pragma once

#include <string>

#include "evaluate/evaluate_options.h"
#include "evaluate/evaluation.h"
#include "heed/core/files/atomic_file.h"
#include "heed/metrics/labels/confusion.h"

namespace heed::apps {

/// Scores by sentence length: one table per metric. Writes and commits the figure unless it is null. Throws InputError
/// unless a source file has as many lines as there are references; FileError.
std::string length_report(const ByLengthOptions& options, const Evaluation& evaluation, AtomicFile* figure);

/// Which classes a system confuses: precision, recall, F1 and support of each class, and the confusion matrix. If the
/// matrix is too wide, the most frequent mistakes are listed instead. Writes and commits the figure unless it is null.
/// There must be at least one class. Throws FileError, and ConfigError if the figure has too many classes.
std::string confusion_report(const metrics::Confusion& confusion, int decimals, AtomicFile* figure);

}  // namespace heed::apps
