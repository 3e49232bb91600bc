// Labels as targets: one label per line (classification) or per source word (sequence labeling).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "heed/core/error.h"
#include "heed/text/tokenizer.h"

namespace heed::text {

/// What has a label.
enum class LabelUnit { Line, Word };

/// The labels of a model. Their ids start at 0: there are no special ids.
class LabelTokenizer : public Tokenizer {
 public:
  static constexpr std::string_view kEnding = "labels";

  /// Throws std::logic_error if a label is empty or repeated.
  LabelTokenizer(LabelUnit unit, std::vector<std::string> labels);
  LabelTokenizer(const LabelTokenizer&) = delete;
  LabelTokenizer& operator=(const LabelTokenizer&) = delete;
  static std::shared_ptr<const Tokenizer> parse(const std::string& path, std::string_view content);

  /// The id of the line, without white space at its ends; or, for words, the ids of the labels, which are separated by
  /// white space. Throws Error for an unknown label.
  Ids encode(std::string_view line) const override;
  /// A ClassLabel, or the WordLabels of the words. Throws what encode() does, and Error for a blank line's class.
  Target target(std::string_view line) const override;
  std::string decode(std::span<const int32_t> ids) const override;
  std::string piece(int32_t id) const override;
  std::vector<int64_t> words(std::span<const int32_t> ids) const override;
  LineWords line_words(std::string_view line) const override;
  int64_t size() const override { return static_cast<int64_t>(labels_.size()); }
  Target target_type() const override;
  std::string_view file_ending() const override { return kEnding; }
  std::string serialized() const override;

 private:
  std::vector<std::string_view> labels_of(std::string_view line) const;
  int32_t id(std::string_view label) const;

  LabelUnit unit_;
  std::vector<std::string> labels_;
  std::unordered_map<std::string_view, int32_t> ids_;  // views into labels_
};

/// Reports a line that is not a label of its kind.
class LabelError : public Error {
 public:
  LabelError(int64_t line, const std::string& message) : Error(message), line_(line) {}
  int64_t line() const { return line_; }  ///< 0-based

 private:
  int64_t line_;
};

/// Learns all labels of a text, sorted by bytes. Throws Error if there are fewer than two. For labels of lines it
/// throws LabelError if a line has several words.
std::shared_ptr<const Tokenizer> learn_labels(LabelUnit unit, const LineSource& lines);

}  // namespace heed::text
