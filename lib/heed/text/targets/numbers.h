// Numbers as targets: every line has the same number of values, as many as the model predicts.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// Parses the numbers of a line, separated by white space. Throws Error if one is not a finite float32.
std::vector<float> parse_numbers(std::string_view line);
/// Formats numbers with single spaces, each with the fewest digits that parse to the same float32.
std::string format_numbers(std::span<const float> numbers);

/// Lines of exactly `count` numbers. Numbers are not tokens: only target() encodes a line, and an id names one of the
/// `count` numbers.
class NumberTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "numbers";

  explicit NumberTokenizer(int64_t count);
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);

  /// The Numbers of a line. Throws Error if a word is not a number, or the line does not have `count` numbers.
  Target target(std::string_view line) const override;
  /// Both throw Error.
  Ids encode(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override;
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  /// The numbers per line.
  int64_t size() const override { return count_; }
  Target target_type() const override { return Numbers{}; }
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override;

 private:
  int64_t count_;
};

/// Learns the count of numbers from the first line that is not blank. Throws Error if all lines are blank.
std::shared_ptr<const Tokenizer> learn_numbers(const LineSource& lines);

}  // namespace heed::text
