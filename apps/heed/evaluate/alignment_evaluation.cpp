#include "evaluate/alignment_evaluation.h"

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/counted.h"
#include "heed/metrics/alignment_error_rate.h"
#include "program.h"

namespace heed::apps {
namespace {

enum class Links { Sure, Any };

std::vector<std::string> read_alignments(const std::string& path, Links allowed) {
  LineReader reader(path);
  std::vector<std::string> lines;
  for (std::string line; reader.next(line);) {
    try {
      const bool all_sure = metrics::parse_alignment(line).all_sure();
      if (allowed == Links::Sure && !all_sure) {
        throw Error("expected links such as 0-0 only, found a possible one, which gold alignments have");
      }
    } catch (const Error& error) {
      throw InputError(reader.path(), reader.line_number(), error.what());
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

std::string evaluate_alignments(const AlignmentEvaluation& options, const std::vector<std::string>& systems) {
  if (systems.empty()) throw ConfigError("no alignments given: name their file behind the options");
  std::vector<std::string> inputs = systems;
  inputs.push_back(options.alignment);
  require_one_standard_input(inputs);
  const auto gold = metrics::References::from_files({read_alignments(options.alignment, Links::Any)});
  if (gold.size() == 0) throw InputError(options.alignment, 0, "has no lines");
  const metrics::AlignmentErrorRate metric;
  std::string report;
  for (const std::string& path : systems) {
    const std::vector<std::string> lines = read_alignments(path, Links::Sure);
    if (lines.size() != gold.size()) {
      const std::string count = counted(static_cast<int64_t>(lines.size()), "line");
      throw InputError(path, 0,
                       fmt::format("has {}, but {} has {}", count, input_name(options.alignment), gold.size()));
    }
    if (systems.size() > 1) report += path + ": ";
    report += metric.line(metric.corpus_score(lines, gold), "", static_cast<int>(options.decimals)) + '\n';
  }
  return report;
}

}  // namespace heed::apps
