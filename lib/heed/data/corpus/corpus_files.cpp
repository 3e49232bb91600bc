#include "heed/data/corpus/corpus_files.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/data/corpus/row_form.h"
#include "heed/data/corpus/side_reader.h"
#include "heed/data/corpus/table_row.h"
#include "heed/metrics/alignment_error_rate.h"

namespace heed::data {
namespace {

float weight_of(const std::string& text, const LineReader& reader) {
  const auto weight = parse_weight(text);
  if (!weight) throw InputError(reader.path(), reader.line_number(), no_weight(text));
  return *weight;
}

/// Checks the links of a pair. Pairs that are bad rows have no words to compare with.
void check_alignment(const TextPair& pair, const LineReader& reader) {
  const auto fail = [&](const std::string& message) { throw InputError(reader.path(), reader.line_number(), message); };
  metrics::AlignmentLinks links;
  try {
    links = metrics::parse_alignment(pair.alignment);
  } catch (const Error& error) {
    fail(error.what());
  }
  if (pair.bad || links.possible.empty()) return;
  const auto source_words = std::ssize(split_whitespace(pair.source));
  const auto target_words = std::ssize(split_whitespace(pair.target));
  for (const auto& [source, target] : links.possible) {
    if (source < source_words && target < target_words) continue;
    fail(
        fmt::format("the link {}-{} leaves its pair, which has {} source and {} target words; words are separated by "
                    "white space and counted from 0",
                    source, target, source_words, target_words));
  }
}

/// Makes a pair of the fields source, target and, if `weighted`, weight. Returns what is wrong with the fields, for
/// messages; empty if nothing is.
std::string read_columns(std::span<const std::string_view> fields, const TextFormat& format, bool weighted,
                         TextPair& pair) {
  if (fields.size() != (weighted ? 3 : 2)) {
    return fmt::format("expected {}, found {}",
                       weighted ? "three columns, source TAB target TAB weight" : "two columns, source TAB target",
                       fields.size());
  }
  if (weighted) {
    std::string text;
    unquote(fields[2], format.quotes, text);
    const auto weight = parse_weight(text);
    if (!weight) return no_weight(text);
    pair.weight = *weight;
  }
  unquote(fields[0], format.quotes, pair.source);
  unquote(fields[1], format.quotes, pair.target);
  return {};
}

}  // namespace

std::string name_of(const std::string& path, const CorpusFiles& files) {
  const auto named = files.names.find(path);
  if (named != files.names.end()) return named->second;
  return input_name(path);
}

std::string LineLocations::of(int64_t line) const {
  check(!first.empty() && line >= 0, "a line that was not read");
  const auto file = static_cast<size_t>(std::ranges::upper_bound(first, line) - first.begin()) - 1;
  return fmt::format("{}:{}", names[file], line - first[file] + header + 1);
}

std::vector<SideFile> all_files(const CorpusFiles& files) {
  std::vector<SideFile> all;
  for (const std::string& path : files.source) all.push_back({"source", path});
  for (const std::string& path : files.target) all.push_back({"target", path});
  for (const std::string& path : files.pairs) all.push_back({"pairs", path});
  for (const std::string& path : files.weights) all.push_back({"weights", path});
  for (const std::string& path : files.alignments) all.push_back({"alignments", path});
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
  if (!files.alignments.empty() && !files.has_source()) {
    throw ConfigError(prefix + "alignments", fmt::format("need text on both sides: give `{0}source` and `{0}target`, "
                                                         "or `{0}pairs`",
                                                         prefix));
  }
  if (!files.vectors.empty() + !files.pictures.empty() + !files.sounds.empty() > 1) {
    throw ConfigError(
        prefix + "source-vectors",
        fmt::format("does not go with `{0}source-images` and `{0}source-audio`: give one of them", prefix));
  }
  if (files.vectors == "-") {
    throw ConfigError(prefix + "source-vectors",
                      "must be a file whose items can be read in any order, not standard input");
  }
  int64_t standard_inputs = 0;
  for (const auto& [side, path] : all_files(files)) {
    standard_inputs += path == "-" ? 1 : 0;
    if (path.empty()) throw ConfigError(prefix + std::string(side), "names a file by an empty text");
  }
  if (standard_inputs > 1) throw ConfigError("standard input (-) is named twice; it can be read only once");
}

struct PairReader::Sides {
  Sides(const CorpusFiles& from, const TextFormat& its_format)
      : files(from),
        format(its_format),
        source(from.source, from, format),
        target(has_pairs() ? from.pairs : from.target, from, format, has_pairs() ? &shape : nullptr),
        weights(from.weights, from, format),
        alignments(from.alignments, from, format) {}

  bool has_pairs() const { return !files.pairs.empty(); }
  bool has_source() const { return !files.source.empty(); }

  /// The next line of a file of pairs.
  bool next_row(TextPair& pair) {
    if (!target.next(line)) return false;
    std::string wrong = split_fields(line, format.quotes, fields);
    const LineReader& reader = target.reader();
    if (format.quotes == Quotes::None) shape.add(fields);
    if (!format.header && reader.line_number() == 1) shape.add_first(fields, reader.path() + ":1");
    if (wrong.empty()) wrong = read_columns(fields, format, files.weight_column, pair);
    pair.bad = !wrong.empty();
    if (!pair.bad) return true;
    const auto error = [&] { return BadRow(reader.path(), reader.line_number(), wrong); };
    if (format.bad_rows == BadRows::Fail) {
      const std::string advice = target.lines() == 1 ? advice_of_first(reader.path()) : std::string();
      if (!advice.empty()) throw InputError(reader.path(), reader.line_number(), wrong + advice);
      throw error();
    }
    shape.add_bad_row(error().what());
    pair = {.source = {}, .target = {}, .bad = true};
    return true;
  }

  std::string advice_of_first(const std::string& name) const {
    return advice_on_rows(files.pairs.front(), name, format, files.weight_column);
  }

  /// Reads everything except weights that have their own files.
  bool next_text(TextPair& pair) {
    if (has_pairs()) return next_row(pair);
    pair.source.clear();
    const bool is_target = target.next(pair.target);
    if (!has_source()) return is_target;
    const bool is_source = source.next(pair.source);
    if (is_source != is_target || (!is_source && has_unlike_files(source, target))) throw unlike_sides(source, target);
    return is_source;
  }

  /// Reads the next line of a file for each pair, weights or alignments. Returns false without such files, and at the
  /// end. is_there: whether there is a pair.
  bool next_beside(SideReader& side, const std::vector<std::string>& paths, bool is_there, std::string& text) {
    if (paths.empty()) return false;
    if (side.next(text) != is_there || (!is_there && has_unlike_files(side, target))) throw unlike_sides(side, target);
    return is_there;
  }

  CorpusFiles files;
  TextFormat format;
  TableShape shape;
  SideReader source;
  SideReader target;  // or the files of TAB-separated pairs
  SideReader weights;
  SideReader alignments;
  std::string line;
  std::vector<std::string_view> fields;  // fields of the line
};

PairReader::PairReader(const CorpusFiles& files, const TextFormat& format) {
  validate(files);
  sides_ = std::make_unique<Sides>(files, format);
}
PairReader::~PairReader() = default;

bool PairReader::next(TextPair& pair) {
  Sides& sides = *sides_;
  const bool is_there = sides.next_text(pair);
  if (sides.next_beside(sides.weights, sides.files.weights, is_there, sides.line)) {
    pair.weight = weight_of(sides.line, sides.weights.reader());
  }
  if (sides.next_beside(sides.alignments, sides.files.alignments, is_there, pair.alignment)) {
    check_alignment(pair, sides.alignments.reader());
  }
  return is_there;
}

std::vector<int64_t> PairReader::lines() const {
  std::vector<int64_t> lines = sides_->source.file_lines();
  for (const SideReader* side : {&sides_->target, &sides_->weights, &sides_->alignments}) {
    lines.insert(lines.end(), side->file_lines().begin(), side->file_lines().end());
  }
  return lines;
}

int64_t PairReader::pairs() const {
  return sides_->has_source() ? std::min(sides_->source.lines(), sides_->target.lines()) : sides_->target.lines();
}

InputError PairReader::error_at(int64_t pair, bool source, const std::string& message) const {
  check(pair >= 0 && pair < pairs(), "a pair that was not read");
  return (source && sides_->has_source() ? sides_->source : sides_->target).error_at(pair, message);
}

int64_t PairReader::replaced_lines() const { return sides_->source.replaced_lines() + sides_->target.replaced_lines(); }

LineLocations PairReader::places() const { return sides_->target.places(); }

void PairReader::break_off_if(const std::function<bool()>& asked) {
  for (SideReader* side : {&sides_->source, &sides_->target, &sides_->weights, &sides_->alignments}) {
    side->break_off_if(asked);
  }
}

void PairReader::log_advice(const std::string& prefix) const {
  sides_->shape.log_advice(sides_->format, prefix, names_of(sides_->files));
}

int64_t count_pairs(const CorpusFiles& files, const TextFormat& format) {
  PairReader reader(files, format);
  for (TextPair pair; reader.next(pair);) {}
  return reader.pairs();
}

int64_t inspect_pairs(const CorpusFiles& files, const TextFormat& format, const std::string& prefix) {
  PairReader reader(files, format);
  for (TextPair pair; reader.next(pair);) {}
  reader.log_advice(prefix);
  return reader.pairs();
}

}  // namespace heed::data
