// `heed evaluate --confusion`: which classes of labels a system takes for which, as tables and as a figure.
#pragma once

#include <string>

#include "heed/core/files/atomic_file.h"
#include "heed/metrics/labels/confusion.h"

namespace heed::apps {

/// Precision, recall, F1 and support of each class, and the matrix of all classes or, where it would be too wide to
/// read, the most frequent mistakes; writes and commits the figure unless that is null. There is at least one class.
/// Throws FileError, ConfigError for a figure of more classes than it has room for.
std::string confusion_report(const metrics::Confusion& confusion, int decimals, AtomicFile* figure);

}  // namespace heed::apps
