#include "heed/text/bpe/bpe_tokenizer.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/text/bpe/words/text_lines.h"
#include "heed/text/word_index.h"

namespace heed::text {
namespace {

constexpr std::string_view kFirstLine = "#version: 1";
constexpr std::string_view kSeparator = "#separator: ";
constexpr std::string_view kGlossary = "#glossary: ";
constexpr std::string_view kMerges = "#merges: ";

/// Reads the sections of a file: properties, codes, vocabulary.
class File {
 public:
  File(const std::string& path, std::string_view content) : path_(path), rest_(content) {}

  std::string_view line() {
    const size_t size = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, size);
    rest_.remove_prefix(std::min(size + 1, rest_.size()));
    ++number_;
    return line;
  }
  /// The next `count` lines, unchanged.
  std::string_view lines(int64_t count) {
    const char* begin = rest_.data();
    for (int64_t i = 0; i < count; ++i) {
      if (rest_.empty()) fail(fmt::format("expected {} lines more: the file is truncated", count - i));
      line();
    }
    return {begin, static_cast<size_t>(rest_.data() - begin)};
  }
  std::string_view rest() const { return rest_; }
  int64_t lines_read() const { return number_; }
  [[noreturn]] void fail(const std::string& message) const { throw InputError(path_, number_, message); }

 private:
  const std::string& path_;
  std::string_view rest_;
  int64_t number_ = 0;
};

int64_t parse_count(const File& file, std::string_view digits) {
  int64_t count = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || end != digits.data() + digits.size() || count < 0) {
    file.fail(fmt::format("expected the number of merges, found '{}'", digits));
  }
  return count;
}

}  // namespace

BpeTokenizer::BpeTokenizer(Content content) {
  check(!content.codes.bytes, "a tokenizer's codes are of characters");
  segmenter_ = std::make_shared<const BpeSegmenter>(
      content.codes, BpeSegmenterOptions{.separator = content.separator,
                                         .glossaries = content.glossaries,
                                         .vocabulary = {content.entries.begin(), content.entries.end()}});
  units_ = std::make_shared<const WordTokenizer>(WordTokenizer::kTokensEnding, content.entries, content.separator);
  content_ = std::make_shared<const Content>(std::move(content));
}

std::shared_ptr<const Tokenizer> BpeTokenizer::parse(const std::string& path, std::string_view text) {
  File file(path, text);
  if (const std::string_view line = file.line(); line != kFirstLine) {
    file.fail(fmt::format("a tokenizer's first line is '{}', found '{}'", kFirstLine, line));
  }
  Content content;
  std::string_view line = file.line();
  for (; !line.starts_with(kMerges); line = file.line()) {
    if (line.starts_with(kSeparator))
      content.separator = line.substr(kSeparator.size());
    else if (line.starts_with(kGlossary))
      content.glossaries.emplace_back(line.substr(kGlossary.size()));
    else
      file.fail(fmt::format("expected a separator, a glossary or the number of merges, found '{}'", line));
  }
  const int64_t merges = parse_count(file, line.substr(kMerges.size()));
  const int64_t before_codes = file.lines_read();
  const int64_t header = file.rest().starts_with("#version: 0.2\n") ? 1 : 0;
  content.codes = parse_formatted_codes(path, file.lines(header + merges), before_codes);
  content.entries = parse_vocabulary(path, file.rest(), file.lines_read()).entries;
  return std::make_shared<BpeTokenizer>(std::move(content));
}

std::string BpeTokenizer::serialized() const {
  std::string text = fmt::format("{}\n{}{}\n", kFirstLine, kSeparator, content_->separator);
  for (const std::string& glossary : content_->glossaries) text += fmt::format("{}{}\n", kGlossary, glossary);
  text += fmt::format("{}{}\n", kMerges, content_->codes.merges.size());
  return text + format_codes(content_->codes) + units_->vocabulary().serialized();
}

std::shared_ptr<const Tokenizer> BpeTokenizer::with_dropout(double probability) const {
  auto made = std::make_shared<BpeTokenizer>(*this);
  made->dropout_ = probability;
  return made;
}

/// Calls visit(unit, whether its word continues) for each unit of the line.
template <class Segment, class Visit>
void BpeTokenizer::visit_units(std::string_view line, Segment&& segment, Visit&& visit) const {
  UnitList units;
  for_each_word(split_ends(line).words, [&](std::string_view word) {
    units.clear();
    segment(word, units);
    for (size_t i = 0; i < units.size(); ++i) visit(units[i], i + 1 < units.size());
  });
}

template <class Segment>
Ids BpeTokenizer::encode_words(std::string_view line, Segment&& segment) const {
  Ids ids;
  std::string entry;
  visit_units(line, segment, [&](std::string_view unit, bool goes_on) {
    entry = unit;
    if (goes_on) entry += content_->separator;
    ids.push_back(units_->vocabulary().id(entry));
  });
  return ids;
}

Ids BpeTokenizer::encode(std::string_view line) const {
  return encode_words(line, [&](std::string_view word, auto& units) { segmenter_->segment(word, units); });
}

LineWords BpeTokenizer::line_words(std::string_view line) const {
  std::vector<std::string> texts;
  visit_units(
      line, [&](std::string_view word, auto& units) { segmenter_->segment(word, units); },
      [&](std::string_view unit, bool goes_on) { texts.emplace_back(unit) += goes_on ? "" : " "; });
  return joined_words(texts);
}

Ids BpeTokenizer::sample(std::string_view line, RandomStream& random) const {
  if (dropout_ == 0) return encode(line);
  const UniformSource uniform = [&random] { return random.uniform(); };
  return encode_words(line, [&](std::string_view word, auto& units) {
    segmenter_->segment(word, {.probability = dropout_, .uniform = uniform}, units);
  });
}

}  // namespace heed::text
