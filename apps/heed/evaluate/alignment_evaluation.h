// `heed evaluate --alignment`: the error rate of word alignments.
#pragma once

#include <string>
#include <vector>

#include "heed/core/options.h"

namespace heed::apps {

struct AlignmentEvaluation {
  std::string alignment;
  int64_t decimals = 1;
};
void describe(AlignmentEvaluation& o, AnyOptionVisitor auto& visit) {
  visit("alignment", o.alignment, "`FILE` with the gold alignments: links 0-2 are sure, 0?2 possible");
  visit("decimals", o.decimals, "digits after the decimal point", between(0, 15));
}

/// The report: one line per file of alignments. Line N of each file is compared with line N of the gold alignments.
std::string evaluate_alignments(const AlignmentEvaluation& options, const std::vector<std::string>& systems);

}  // namespace heed::apps
