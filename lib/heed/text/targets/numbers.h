// Numbers as targets: a line of a target has as many of them as the model gives.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/text/tokenizer.h"

namespace heed::text {

/// The numbers of a line, which stand between white space. Throws Error at what is no finite number of float32.
std::vector<float> parse_numbers(std::string_view line);
/// In the fewest digits that give the same float32 again, one space between them.
std::string format_numbers(std::span<const float> numbers);

/// Lines of always `count` numbers. An id is a number's bits as float32 has them (number_of).
class NumberTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "numbers";

  explicit NumberTokenizer(int64_t count);
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);

  /// Throws Error at what is no number, and at another count of numbers.
  Ids encode(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override;
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  /// The numbers a line.
  int64_t size() const override { return count_; }
  TargetKind target_kind() const override { return TargetKind::Numbers; }
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override;

 private:
  int64_t count_;
};

/// The number that an id of NumberTokenizer stands for.
float number_of(int32_t id);

/// Lines of as many numbers as the first line has that is not blank. Throws Error where all are blank.
std::shared_ptr<const Tokenizer> learn_numbers(const LineSource& lines);

}  // namespace heed::text
