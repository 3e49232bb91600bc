#include "heed/text/targets/numbers.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heed/core/error.h"
#include "heed/core/log.h"
#include "heed/core/parsed_number.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"

namespace heed::text {
namespace {

constexpr std::string_view kHeader = "#version: 1\n#numbers: ";

float parse_number(std::string_view word) {
  float value = 0;
  const bool has_plus = word.starts_with('+') && !word.starts_with("+-");
  const std::string_view digits = has_plus ? word.substr(1) : word;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
    throw Error(fmt::format("expected a finite number, found `{}`", word));
  }
  return value;
}

[[noreturn]] void refuse_tokens() { throw Error("numbers have no tokens"); }

}  // namespace

std::vector<float> parse_numbers(std::string_view line) {
  std::vector<float> numbers;
  for (const std::string_view word : split_whitespace(line)) numbers.push_back(parse_number(word));
  return numbers;
}

std::string format_numbers(std::span<const float> numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

NumberTokenizer::NumberTokenizer(int64_t count) : count_(count) { check(count > 0, "a line needs a number"); }

std::shared_ptr<const Tokenizer> NumberTokenizer::parse(const std::string& path, std::string_view content) {
  std::optional<int64_t> count;
  if (content.starts_with(kHeader) && content.ends_with('\n')) {
    content.remove_prefix(kHeader.size());
    content.remove_suffix(1);
    count = parsed_number<int64_t>(content);
  }
  if (!count || *count < 1) throw InputError(path, 0, "expected '#version: 1' and '#numbers: N', how many a line has");
  return std::make_shared<NumberTokenizer>(*count);
}

Target NumberTokenizer::target(std::string_view line) const {
  Numbers numbers{parse_numbers(line)};
  if (std::ssize(numbers.values) != count_) {
    throw Error(fmt::format("expected {}, as the first line of the training target has, found {}",
                            counted(count_, "number"), numbers.values.size()));
  }
  return numbers;
}

Ids NumberTokenizer::encode(std::string_view) const { refuse_tokens(); }

std::string NumberTokenizer::decode(std::span<const int32_t>) const { refuse_tokens(); }

std::string NumberTokenizer::piece(int32_t id) const { return fmt::format("number {}", id + 1); }

std::vector<int64_t> NumberTokenizer::words(std::span<const int32_t> ids) const {
  std::vector<int64_t> words(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) words[i] = static_cast<int64_t>(i);
  return words;
}

LineWords NumberTokenizer::line_words(std::string_view line) const {
  LineWords found;
  for (const std::string_view word : split_whitespace(line)) {
    found.of_id.push_back(static_cast<int64_t>(found.words.size()));
    found.words.emplace_back(word);
  }
  return found;
}

std::string NumberTokenizer::serialized() const { return fmt::format("{}{}\n", kHeader, count_); }

std::shared_ptr<const Tokenizer> learn_numbers(const LineSource& lines) {
  for (std::string line; lines(line);) {
    if (strip(line).empty()) continue;
    const auto count = static_cast<int64_t>(split_whitespace(line).size());
    log_info(fmt::format("the target has {} a line", counted(count, "number")));
    return std::make_shared<NumberTokenizer>(count);
  }
  throw Error("the target has no numbers: all its lines are blank");
}

}  // namespace heed::text
