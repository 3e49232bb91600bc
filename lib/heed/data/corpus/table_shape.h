// What rows of files of pairs look like: files of spreadsheets have quotes and a header, which are learned as text
// unless the format says otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heed/data/corpus/text_format.h"

namespace heed::data {

/// A few messages or places of many.
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
  /// fields: as written.
  void add(std::span<const std::string_view> fields);
  /// The first line of a file. `place`: "train.tsv:1".
  void add_first(std::span<const std::string_view> fields, const std::string& place);
  /// A first line that the format leaves out.
  void add_header(const std::string& line, const std::string& place);
  /// what: "train.tsv:3: expected two columns, ...".
  void add_bad_row(const std::string& what) { bad_rows_.add(what); }

  /// Whether at least half of the rows have all of their fields in quotes, or several fields have doubled quotes
  /// inside and nearly all that begin with a quote are in quotes.
  bool looks_quoted() const;

  /// Logs what the rows look like where the format reads them otherwise, with the option that would do it, and what
  /// the format left out. `prefix` precedes the names of options ("data."), `files` are what messages call the text.
  void log_advice(const TextFormat& format, const std::string& prefix, const std::string& files) const;

 private:
  int64_t rows_ = 0;
  int64_t quoted_rows_ = 0;     // all of whose fields are in quotes
  int64_t opened_fields_ = 0;   // that begin with a quote
  int64_t quoted_fields_ = 0;   // of them
  int64_t doubled_fields_ = 0;  // of those, with a doubled quote inside
  Examples headers_;            // first lines that look like one
  Examples left_out_headers_;
  Examples bad_rows_;
};

/// Whether a row names its columns: "source TAB target" and its like, or two languages, by their codes or English names
/// (ISO 639, as ICU lists them).
bool looks_like_header(std::span<const std::string_view> fields);

}  // namespace heed::data
