#include "heed/metrics/labels/label_pair.h"

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"

namespace heed::metrics {

void LabelPair::read(std::string_view hypothesis, std::span<const std::string_view> references) {
  if (references.size() != 1) {
    throw Error(fmt::format("labels are compared with one reference, found {}", references.size()));
  }
  split_whitespace(hypothesis, found_);
  split_whitespace(references[0], gold_);
  if (found_.size() == gold_.size()) return;
  throw Error(fmt::format("expected {}, found {}", counted(std::ssize(gold_), "label"), found_.size()));
}

}  // namespace heed::metrics
