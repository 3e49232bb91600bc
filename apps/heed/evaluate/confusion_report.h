// `heed evaluate --confusion`: which classes a system confuses, as tables and as a figure.
#pragma once

#include <string>

#include "heed/core/files/atomic_file.h"
#include "heed/metrics/labels/confusion.h"

namespace heed::apps {

/// The report: precision, recall, F1 and support of each class, and the confusion matrix. If the matrix is too wide,
/// the most frequent mistakes are listed instead. Writes and commits the figure unless it is null. There must be at
/// least one class. Throws FileError, and ConfigError if the figure has too many classes.
std::string confusion_report(const metrics::Confusion& confusion, int decimals, AtomicFile* figure);

}  // namespace heed::apps
