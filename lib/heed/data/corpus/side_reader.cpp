#include "heed/data/corpus/side_reader.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/text/counted.h"

namespace heed::data {

SideReader::SideReader(const std::vector<std::string>& paths, const CorpusFiles& files, const TextFormat& format,
                       TableShape* shape)
    : paths_(paths), invalid_(format.invalid_text), shape_(format.header ? shape : nullptr) {
  for (const std::string& path : paths_) names_.push_back(name_of(path, files));
  if (!paths_.empty()) open();
}

bool SideReader::next(std::string& line) {
  while (reader_) {
    if (shape_ && reader_->line_number() == 0) pass_header();
    if (reader_->next(line)) {
      ++lines_.back();
      return true;
    }
    replaced_before_ += reader_->replaced_lines();
    reader_.reset();
    if (lines_.size() < paths_.size()) open();
  }
  return false;
}

int64_t SideReader::lines() const { return std::accumulate(lines_.begin(), lines_.end(), int64_t{0}); }

InputError SideReader::error_at(int64_t line, const std::string& message) const {
  size_t file = 0;
  while (line >= lines_[file]) line -= lines_[file++];
  return {names_[file], line + 1 + header(), message};
}

LineLocations SideReader::places() const {
  LineLocations places{.names = {names_.begin(), names_.begin() + std::ssize(lines_)}, .first = {}, .header = header()};
  int64_t first = 0;
  for (const int64_t lines : lines_) places.first.push_back(std::exchange(first, first + lines));
  return places;
}

void SideReader::break_off_if(std::function<bool()> asked) {
  breaks_off_ = std::move(asked);
  if (reader_) reader_->break_off_if(breaks_off_);
}

std::string SideReader::count_rest() {
  for (std::string line; next(line);) {}
  if (paths_.size() == 1) return count_of(0);
  return fmt::format("{} together have {}", fmt::join(names_, ", "), counted(lines(), "line"));
}

std::string SideReader::count_of(size_t file) const {
  return fmt::format("{} has {}", names_[file], counted(lines_[file], "line"));
}

void SideReader::open() {
  reader_.emplace(paths_[lines_.size()], invalid_, names_[lines_.size()]);
  if (breaks_off_) reader_->break_off_if(breaks_off_);
  lines_.push_back(0);
}

void SideReader::pass_header() {
  std::string line;
  if (reader_->next(line)) shape_->add_header(line, reader_->path() + ":1");
}

bool has_unlike_files(const SideReader& one, const SideReader& other) {
  return one.file_lines().size() == other.file_lines().size() && one.file_lines() != other.file_lines();
}

InputError unlike_sides(SideReader& source, SideReader& target) {
  std::string source_lines = source.count_rest(), target_lines = target.count_rest();
  const std::vector<int64_t>&of_source = source.file_lines(), &of_target = target.file_lines();
  if (of_source.size() == of_target.size()) {
    const auto at = std::ranges::mismatch(of_source, of_target).in1 - of_source.begin();
    source_lines = source.count_of(static_cast<size_t>(at));
    target_lines = target.count_of(static_cast<size_t>(at));
  }
  return InputError(
      fmt::format("{}, {}; line n of the one must belong to line n of the other", source_lines, target_lines));
}

}  // namespace heed::data
