#include "heed_torch/config/setup/run_overlap.h"

#include <utility>

#include <fmt/format.h>

#include "heed/core/enum_names.h"
#include "heed/core/files/checksum.h"

namespace heed::config {
namespace {

std::string key_of(const data::TextFormat& format, const Checksums& sums) {
  std::string texts = fmt::format("{} {} {} {}\n", enum_name(format.invalid_text), enum_name(format.quotes),
                                  format.header, enum_name(format.bad_rows));
  for (const auto& [name, sum] : sums) texts += fmt::format("{} {}\n", name, sum);
  return sha256(texts);
}

}  // namespace

RunOverlap::RunOverlap(const checkpoint::RunDirectory& directory, const RunOptions& options, data::ComparedTexts texts,
                       const Checksums& sums)
    : path_(directory.file("overlap.json")),
      texts_(std::move(texts)),
      filters_(options.data.corpus.filters),
      key_(key_of(texts_.format, sums)),
      counts_(data::read_overlap(path_, key_)) {
  if (filters_.leaking == data::FilterAction::LeaveOut) {
    origin_ = key_;
  } else if (filters_.duplicates == data::FilterAction::LeaveOut) {
    origin_ = key_of(texts_.format, training_text(sums));  // other validation text leaves out no other lines
  }
}

void RunOverlap::find() {
  const bool leaves_out = filters_.duplicates == data::FilterAction::LeaveOut;
  found_ = data::find_overlap(texts_, path_, leaves_out ? data::DuplicateUse::LeaveOut : data::DuplicateUse::Count);
  counts_ = found_->counts;
}

const data::OverlapCounts& RunOverlap::counts() {
  if (!counts_) find();
  return *counts_;
}

data::ExcludedLines RunOverlap::left_out() {
  if (!filters_.compare_lines()) return {};
  if (!found_) find();
  data::ExcludedLines lines{.origin = origin_};
  if (filters_.duplicates == data::FilterAction::LeaveOut) lines.duplicates = found_->duplicates;
  if (filters_.leaking == data::FilterAction::LeaveOut) lines.leaking = found_->leaking;
  return lines;
}

void RunOverlap::keep(data::ComparedTexts texts) {
  if (counts().duplicates) data::write_overlap(path_, key_, counts());  // else the next start counts again
  texts_ = std::move(texts);
}

}  // namespace heed::config
