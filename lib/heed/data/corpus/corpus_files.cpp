#include "heed/data/corpus/corpus_files.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"

namespace heed::data {
namespace {

/// The lines of several files, one after the other.
class SideReader {
 public:
  SideReader(const std::vector<std::string>& paths, const CorpusFiles& files, InvalidText invalid)
      : paths_(paths), invalid_(invalid) {
    for (const std::string& path : paths_) names_.push_back(name_of(path, files));
    if (!paths_.empty()) open();
  }

  bool next(std::string& line) {
    while (reader_) {
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

  int64_t lines() const { return std::accumulate(lines_.begin(), lines_.end(), int64_t{0}); }
  const std::vector<int64_t>& file_lines() const { return lines_; }
  int64_t replaced_lines() const { return replaced_before_ + (reader_ ? reader_->replaced_lines() : 0); }
  const LineReader& reader() const { return *reader_; }

  InputError error_at(int64_t line, const std::string& message) const {
    size_t file = 0;
    while (line >= lines_[file]) line -= lines_[file++];
    return {names_[file], line + 1, message};
  }

  LinePlaces places() const {
    LinePlaces places{.names = {names_.begin(), names_.begin() + std::ssize(lines_)}, .first = {}};
    int64_t first = 0;
    for (const int64_t lines : lines_) places.first.push_back(std::exchange(first, first + lines));
    return places;
  }

  void break_off_if(std::function<bool()> asked) {
    breaks_off_ = std::move(asked);
    if (reader_) reader_->break_off_if(breaks_off_);
  }

  /// "train.en has 3 lines", after reading what is left.
  std::string count_rest() {
    for (std::string line; next(line);) {}
    if (paths_.size() == 1) return count_of(0);
    return fmt::format("{} together have {}", fmt::join(names_, ", "), counted(lines(), "line"));
  }

  std::string count_of(size_t file) const {
    return fmt::format("{} has {}", names_[file], counted(lines_[file], "line"));
  }

 private:
  void open() {
    reader_.emplace(paths_[lines_.size()], invalid_, names_[lines_.size()]);
    if (breaks_off_) reader_->break_off_if(breaks_off_);
    lines_.push_back(0);
  }

  std::vector<std::string> paths_;
  std::vector<std::string> names_;  // for messages
  InvalidText invalid_;
  std::optional<LineReader> reader_;
  std::vector<int64_t> lines_;  // read of each file opened so far
  int64_t replaced_before_ = 0;
  std::function<bool()> breaks_off_;
};

/// Whether two sides that were read to their ends have as many files each, but not of as many lines: then lines behind
/// the first such file do not belong together, though the sides may be as long.
bool has_unlike_files(const SideReader& one, const SideReader& other) {
  return one.file_lines().size() == other.file_lines().size() && one.file_lines() != other.file_lines();
}

/// What to say of sides with unlike numbers of lines: of as many files each, the first two that do not fit are named.
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

float weight_of(const std::string& text, const LineReader& reader) {
  constexpr size_t kShown = 40;
  float weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(weight) || weight < 0) {
    throw InputError(reader.path(), reader.line_number(),
                     fmt::format("expected a weight, a number of at least 0, found `{}`", text.substr(0, kShown)));
  }
  return weight;
}

/// source TAB target, and where it is `weighted` TAB weight.
void split_columns(std::string& line, const LineReader& reader, bool weighted, TextPair& pair) {
  const auto tabs = std::count(line.begin(), line.end(), '\t');
  if (tabs != (weighted ? 2 : 1)) {
    throw InputError(
        reader.path(), reader.line_number(),
        fmt::format("expected {}, found {}",
                    weighted ? "three columns, source TAB target TAB weight" : "two columns, source TAB target",
                    tabs + 1));
  }
  if (weighted) {
    const size_t last = line.rfind('\t');
    pair.weight = weight_of(line.substr(last + 1), reader);
    line.resize(last);
  }
  const size_t tab = line.find('\t');
  pair.target.assign(line, tab + 1);
  line.resize(tab);
  std::swap(pair.source, line);
}

}  // namespace

std::string name_of(const std::string& path, const CorpusFiles& files) {
  const auto named = files.names.find(path);
  if (named != files.names.end()) return named->second;
  return input_name(path);
}

std::string LinePlaces::of(int64_t line) const {
  check(!first.empty() && line >= 0, "a line that was not read");
  const auto file = static_cast<size_t>(std::ranges::upper_bound(first, line) - first.begin()) - 1;
  return fmt::format("{}:{}", names[file], line - first[file] + 1);
}

std::vector<SideFile> all_files(const CorpusFiles& files) {
  std::vector<SideFile> all;
  for (const std::string& path : files.source) all.push_back({"source", path});
  for (const std::string& path : files.target) all.push_back({"target", path});
  for (const std::string& path : files.pairs) all.push_back({"pairs", path});
  for (const std::string& path : files.weights) all.push_back({"weights", path});
  if (!files.vectors.empty()) all.push_back({"vectors", files.vectors});
  return all;
}

std::string names_of(const CorpusFiles& files) {
  std::vector<std::string> names;
  for (const auto& file : all_files(files)) names.push_back(name_of(file.path, files));
  return fmt::format("{}", fmt::join(names, ", "));
}

void validate(const CorpusFiles& files, const std::string& prefix) {
  if (!files.pairs.empty() && !(files.source.empty() && files.target.empty())) {
    throw ConfigError(prefix + "pairs", fmt::format("holds both sides: leave out `{0}source` and `{0}target`", prefix));
  }
  if (files.pairs.empty() && files.target.empty()) {
    throw ConfigError(prefix + "target",
                      fmt::format("is missing: give `{0}source` and `{0}target`, or `{0}pairs`", prefix));
  }
  if (files.weight_column && files.pairs.empty()) {
    throw ConfigError(
        prefix + "weight-column",
        fmt::format("is of lines of `{0}pairs`: with `{0}source` and `{0}target` give `{0}weights`", prefix));
  }
  if (files.weight_column && !files.weights.empty()) {
    throw ConfigError(prefix + "weights", fmt::format("does not go with `{}weight-column`: give one of them", prefix));
  }
  if (!files.vectors.empty() + !files.pictures.empty() + !files.sounds.empty() > 1) {
    throw ConfigError(
        prefix + "source-vectors",
        fmt::format("does not go with `{0}source-pictures` and `{0}source-sounds`: give one of them", prefix));
  }
  if (files.vectors == "-") {
    throw ConfigError(prefix + "source-vectors", "must be a file, in which items can be found: standard input is none");
  }
  int64_t standard_inputs = 0;
  for (const auto& [side, path] : all_files(files)) {
    standard_inputs += path == "-" ? 1 : 0;
    if (path.empty()) throw ConfigError(prefix + std::string(side), "names a file by an empty text");
  }
  if (standard_inputs > 1) throw ConfigError("standard input (-) is named twice; it can be read only once");
}

struct PairReader::Sides {
  Sides(const CorpusFiles& files, InvalidText invalid)
      : has_source(!files.source.empty()),
        has_pairs(!files.pairs.empty()),
        weight_column(files.weight_column),
        has_weights(!files.weights.empty()),
        source(files.source, files, invalid),
        target(has_pairs ? files.pairs : files.target, files, invalid),
        weights(files.weights, files, invalid) {}

  /// All but the weights of files of their own.
  bool next_text(TextPair& pair) {
    if (has_pairs) {
      if (!target.next(line)) return false;
      split_columns(line, target.reader(), weight_column, pair);
      return true;
    }
    pair.source.clear();
    const bool is_target = target.next(pair.target);
    if (!has_source) return is_target;
    const bool is_source = source.next(pair.source);
    if (is_source != is_target || (!is_source && has_unlike_files(source, target))) throw unlike_sides(source, target);
    return is_source;
  }

  bool has_source;
  bool has_pairs;
  bool weight_column;
  bool has_weights;
  SideReader source;
  SideReader target;  // or the TAB-separated pairs
  SideReader weights;
  std::string line;
};

PairReader::PairReader(const CorpusFiles& files, InvalidText invalid) {
  validate(files);
  sides_ = std::make_unique<Sides>(files, invalid);
}
PairReader::~PairReader() = default;

bool PairReader::next(TextPair& pair) {
  Sides& sides = *sides_;
  const bool is_there = sides.next_text(pair);
  if (!sides.has_weights) return is_there;
  if (sides.weights.next(sides.line) != is_there || (!is_there && has_unlike_files(sides.weights, sides.target))) {
    throw unlike_sides(sides.weights, sides.target);
  }
  if (is_there) pair.weight = weight_of(sides.line, sides.weights.reader());
  return is_there;
}

std::vector<int64_t> PairReader::lines() const {
  std::vector<int64_t> lines = sides_->source.file_lines();
  for (const SideReader* side : {&sides_->target, &sides_->weights}) {
    lines.insert(lines.end(), side->file_lines().begin(), side->file_lines().end());
  }
  return lines;
}

int64_t PairReader::pairs() const {
  return sides_->has_source ? std::min(sides_->source.lines(), sides_->target.lines()) : sides_->target.lines();
}

InputError PairReader::error_at(int64_t pair, bool source, const std::string& message) const {
  check(pair >= 0 && pair < pairs(), "a pair that was not read");
  return (source && sides_->has_source ? sides_->source : sides_->target).error_at(pair, message);
}

int64_t PairReader::replaced_lines() const { return sides_->source.replaced_lines() + sides_->target.replaced_lines(); }

LinePlaces PairReader::places() const { return sides_->target.places(); }

void PairReader::break_off_if(const std::function<bool()>& asked) {
  for (SideReader* side : {&sides_->source, &sides_->target, &sides_->weights}) side->break_off_if(asked);
}

int64_t count_pairs(const CorpusFiles& files, InvalidText invalid) {
  PairReader reader(files, invalid);
  for (TextPair pair; reader.next(pair);) {}
  return reader.pairs();
}

}  // namespace heed::data
