#include "heed/data/corpus/corpus_summary.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"

namespace heed::data {
namespace {

double share_of(int64_t unknown, int64_t tokens, int64_t pairs) {
  return unknown > 0 ? static_cast<double>(unknown) / static_cast<double>(tokens - pairs) : 0;
}

/// "256 source or 256 target".
std::string limits_text(const CorpusOptions& options, const CorpusForm& form) {
  const std::string source = fmt::format("{} source", options.max_source_length);
  if (!form.writes_text()) return source;
  return fmt::format("{}{} target", form.has_source ? source + " or " : "", options.max_target_length);
}

std::string in_validation_text(int64_t pairs) { return fmt::format("{} in the validation text too", pairs); }

}  // namespace

CorpusForm form_of(const text::Tokenizers& tokenizers, const CorpusFiles& files) {
  return {.has_source = tokenizers.source != nullptr,
          .target = tokenizers.target->target_type(),
          .has_weights = files.has_weights(),
          .has_alignments = !files.alignments.empty()};
}

CorpusSummary& CorpusSummary::operator+=(const CorpusSummary& other) {
  std::vector<int64_t> counts;
  each_count(other, [&counts](const char*, int64_t count) { counts.push_back(count); });
  auto next = counts.begin();
  each_count(*this, [&next](const char*, int64_t& count) { count += *next++; });
  return *this;
}

double CorpusSummary::source_unknown_share() const { return share_of(source_unknown, source_tokens, kept); }
double CorpusSummary::target_unknown_share() const { return share_of(target_unknown, target_tokens, kept); }

std::string summary_text(const CorpusSummary& summary, const CorpusOptions& options, const CorpusForm& form) {
  const bool has_source = form.has_source;
  const char* unit = has_source ? "pairs" : "lines";
  std::string text = fmt::format("{} {}, {} of them kept", summary.read, unit, summary.kept);
  std::vector<std::string> left_out;
  if (summary.bad_rows > 0) left_out.push_back(counted(summary.bad_rows, "bad row"));
  if (summary.empty > 0) {
    left_out.push_back(fmt::format("{} {}", summary.empty, has_source ? "with an empty side" : "empty"));
  }
  if (summary.too_long > 0) {
    left_out.push_back(fmt::format("{} with more than {} tokens", summary.too_long, limits_text(options, form)));
  }
  const PairFilters& filters = options.filters;
  if (summary.unlike_lengths > 0) {
    left_out.push_back(fmt::format("{} with lengths that differ more than {} times", summary.unlike_lengths,
                                   filters.max_length_ratio.value_or(0)));
  }
  if (summary.identical > 0) left_out.push_back(fmt::format("{} with identical sides", summary.identical));
  if (summary.weightless > 0) left_out.push_back(fmt::format("{} with the weight 0", summary.weightless));
  if (summary.other_script > 0) left_out.push_back(fmt::format("{} in other scripts", summary.other_script));
  // A pair is counted once: these are fewer than all that repeat an earlier one, and the text says so.
  const bool leaves_leaking = filters.leaking == FilterAction::LeaveOut;
  const char* others = summary.too_long + (leaves_leaking ? summary.leaking : 0) > 0 ? " others" : "";
  if (summary.leaking > 0 && leaves_leaking) left_out.push_back(in_validation_text(summary.leaking));
  if (summary.duplicates > 0) {
    left_out.push_back(fmt::format("{}{} that repeat an earlier one", summary.duplicates, others));
  }
  if (!left_out.empty()) text += fmt::format("; left out: {}", fmt::join(left_out, ", "));
  if (summary.leaking > 0 && !leaves_leaking) text += "; " + in_validation_text(summary.leaking);
  if (summary.source_unknown + summary.target_unknown > 0) {
    const auto share = [](double part) { return fmt::format("{:.1f}%", 100 * part); };
    text += fmt::format("; not in the vocabulary: {} of the target tokens", share(summary.target_unknown_share()));
    if (summary.source_tokens > 0) text += fmt::format(", {} of the source's", share(summary.source_unknown_share()));
  }
  if (summary.replaced_lines > 0)
    text += fmt::format("; bytes that are not UTF-8 replaced in {}", counted(summary.replaced_lines, "line"));
  return text;
}

NothingLeft nothing_left(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options,
                         const CorpusForm& form) {
  return {names_of(files), 0,
          fmt::format("no {} is left: {}", form.has_source ? "pair" : "line", summary_text(summary, options, form))};
}

void log_summary(const CorpusFiles& files, const CorpusSummary& summary, const CorpusOptions& options,
                 const CorpusForm& form) {
  const std::string message = fmt::format("{}: {}", names_of(files), summary_text(summary, options, form));
  constexpr double kMuchUnknown = 0.1;
  const double unknown = std::max(summary.source_unknown_share(), summary.target_unknown_share());
  if (summary.kept < summary.read || summary.leaking > 0 || summary.replaced_lines > 0 || unknown > kMuchUnknown) {
    log_warning(message);
  } else {
    log_info(message);
  }
}

}  // namespace heed::data
