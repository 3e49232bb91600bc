#include "heed/text/targets/labels.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr std::string_view kLabelsVersion = "#version: 1";
constexpr std::string_view kUnitOfLines = "#unit: line";
constexpr std::string_view kUnitOfWords = "#unit: word";

std::vector<std::string_view> labels_of(LabelUnit unit, std::string_view line) {
  if (unit == LabelUnit::Word) return split_whitespace(line);
  const std::string_view label = strip(line);
  return label.empty() ? std::vector<std::string_view>{} : std::vector{label};
}

/// The first few labels, for messages.
template <class Labels>
std::string listed(const Labels& labels) {
  constexpr size_t kShown = 10;
  std::vector<std::string> shown;
  for (const auto& label : labels) {
    if (shown.size() == kShown) return fmt::format("{}, and {} more", fmt::join(shown, ", "), labels.size() - kShown);
    shown.emplace_back(label);
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::vector<std::string_view> lines_of(std::string_view content) {
  std::vector<std::string_view> lines;
  while (!content.empty()) {
    const size_t end = content.find('\n');
    lines.push_back(content.substr(0, end));
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
  }
  return lines;
}

}  // namespace

LabelTokenizer::LabelTokenizer(LabelUnit unit, std::vector<std::string> labels)
    : unit_(unit), labels_(std::move(labels)) {
  for (size_t i = 0; i < labels_.size(); ++i) {
    check(!labels_[i].empty() && ids_.emplace(labels_[i], static_cast<int32_t>(i)).second,
          "a label is empty or repeated");
  }
}

std::shared_ptr<const Tokenizer> LabelTokenizer::parse(const std::string& path, std::string_view content) {
  const std::vector<std::string_view> lines = lines_of(content);
  const auto refuse = [&](size_t line, std::string_view expected) {
    const auto found = line < lines.size() ? lines[line] : std::string_view();
    throw InputError(path, static_cast<int64_t>(line) + 1, fmt::format("expected {}, found '{}'", expected, found));
  };
  if (lines.empty() || lines[0] != kLabelsVersion) refuse(0, fmt::format("'{}'", kLabelsVersion));
  const bool of_words = lines.size() > 1 && lines[1] == kUnitOfWords;
  if (!of_words && (lines.size() < 2 || lines[1] != kUnitOfLines)) {
    refuse(1, fmt::format("'{}' or '{}'", kUnitOfLines, kUnitOfWords));
  }
  std::vector<std::string> labels;
  std::set<std::string_view> seen;
  for (size_t line = 2; line < lines.size(); ++line) {
    if (lines[line].empty() || !seen.insert(lines[line]).second) refuse(line, "a label that is not there yet");
    labels.emplace_back(lines[line]);
  }
  return std::make_shared<LabelTokenizer>(of_words ? LabelUnit::Word : LabelUnit::Line, std::move(labels));
}

std::vector<std::string_view> LabelTokenizer::labels_of(std::string_view line) const {
  return text::labels_of(unit_, line);
}

int32_t LabelTokenizer::id(std::string_view label) const {
  const auto found = ids_.find(label);
  if (found != ids_.end()) return found->second;
  throw Error(
      fmt::format("the label `{}` is not one of those that the model was trained with: {}", label, listed(labels_)));
}

Ids LabelTokenizer::encode(std::string_view line) const {
  Ids ids;
  for (const std::string_view label : labels_of(line)) ids.push_back(id(label));
  return ids;
}

Target LabelTokenizer::target(std::string_view line) const {
  if (unit_ == LabelUnit::Line) return ClassLabel{id(strip(line))};
  return WordLabels{encode(line)};
}

Target LabelTokenizer::target_type() const {
  if (unit_ == LabelUnit::Line) return ClassLabel{};
  return WordLabels{};
}

std::string LabelTokenizer::decode(std::span<const int32_t> ids) const {
  std::vector<std::string> labels;
  for (const int32_t id : ids) labels.push_back(piece(id));
  return fmt::format("{}", fmt::join(labels, " "));
}

std::string LabelTokenizer::piece(int32_t id) const {
  check(id >= 0 && id < size(), "no such label");
  return labels_[static_cast<size_t>(id)];
}

std::vector<int64_t> LabelTokenizer::words(std::span<const int32_t> ids) const {
  std::vector<int64_t> words(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) words[i] = static_cast<int64_t>(i);
  return words;
}

LineWords LabelTokenizer::line_words(std::string_view line) const {
  LineWords found;
  for (const std::string_view label : labels_of(line)) {
    found.of_id.push_back(static_cast<int64_t>(found.words.size()));
    found.words.emplace_back(label);
  }
  return found;
}

std::string LabelTokenizer::serialized() const {
  const std::string_view unit = unit_ == LabelUnit::Word ? kUnitOfWords : kUnitOfLines;
  return fmt::format("{}\n{}\n{}\n", kLabelsVersion, unit, fmt::join(labels_, "\n"));
}

std::shared_ptr<const Tokenizer> learn_labels(LabelUnit unit, const LineSource& lines) {
  std::set<std::string, std::less<>> labels;
  int64_t number = 0;
  for (std::string line; lines(line); ++number) {
    if (unit == LabelUnit::Line && split_whitespace(line).size() > 1) {
      throw LabelError(number, fmt::format("expected one label, a word without white space, found `{}`", line));
    }
    for (const std::string_view label : labels_of(unit, line)) {
      if (!labels.contains(label)) labels.emplace(label);
    }
  }
  if (labels.size() < 2) {
    throw Error(labels.empty() ? "the target has no labels: all its lines are blank"
                               : fmt::format("the target has one label only, `{}`: there is nothing to tell apart",
                                             *labels.begin()));
  }
  log_info(fmt::format("{} labels: {}", labels.size(), listed(labels)));
  return std::make_shared<LabelTokenizer>(unit, std::vector<std::string>(labels.begin(), labels.end()));
}

}  // namespace heed::text
