// Finds out what the rows of files of pairs look like. Files of spreadsheets have quotes and a header. The model learns
// these as text unless the format says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// Keeps the first few messages or places, and counts all.
class Examples {
 public:
  void add(const std::string& example) {
    if (++count_ <= kShown) shown_.push_back(example);
  }
  int64_t count() const { return count_; }
  /// "a; b; c; ...".
  std::string text() const;

 private:
  static constexpr int64_t kShown = 3;
  int64_t count_ = 0;
  std::vector<std::string> shown_;
};

class TableShape {
 public:
  /// Counts a row. fields: as written, with quotes.
  void add(std::span<const std::string_view> fields);
  /// Checks the first line of a file for a header. `place`: "train.tsv:1".
  void add_first(std::span<const std::string_view> fields, const std::string& place);
  /// Counts a header that the format leaves out.
  void add_header(const std::string& line, const std::string& place);
  /// Counts a bad row. what: "train.tsv:3: expected two columns, ...".
  void add_bad_row(const std::string& what) { bad_rows_.add(what); }

  /// Whether the rows are quoted. Either at least half of them have only quoted fields. Or several fields have doubled
  /// quotes inside, and nearly all fields that begin with a quote are quoted.
  bool looks_quoted() const;

  /// If the rows look unlike the format, logs this and the option to set. Also logs what the format left out. `prefix`
  /// ("data.") precedes the names of options; `files` is what messages call the text.
  void log_advice(const TextFormat& format, const std::string& prefix, const std::string& files) const;
  /// The same for a file of terms, which no options describe: warns and shows the command that converts it.
  void log_advice_on_terms(const std::string& file) const;

 private:
  std::string quoted_fields_are() const;

  int64_t rows_ = 0;
  int64_t quoted_rows_ = 0;     // rows with only quoted fields
  int64_t opened_fields_ = 0;   // fields that begin with a quote
  int64_t quoted_fields_ = 0;   // opened fields that are quoted
  int64_t doubled_fields_ = 0;  // quoted fields with a doubled quote inside
  Examples headers_;            // first lines that look like a header
  Examples left_out_headers_;
  Examples bad_rows_;
};

/// Whether a row names columns: "source TAB target" and the like, or two languages. Languages are codes or English
/// names (ISO 639, as in ICU).
bool looks_like_header(std::span<const std::string_view> fields);

}  // namespace heed::data
