// How lines of text files are read as sentence pairs.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "heed/core/files/line_reader.h"
#include "heed/core/options.h"

namespace heed::data {

/// Which quotes fields of `pairs` files may have.
enum class Quotes { None, Double };
constexpr auto option_names(Quotes) {
  return std::array{std::pair{Quotes::None, "none"}, std::pair{Quotes::Double, "double"}};
}

/// What happens to a line of a `pairs` file that is not a pair.
enum class BadRows { Fail, LeaveOut };
constexpr auto option_names(BadRows) {
  return std::array{std::pair{BadRows::Fail, "fail"}, std::pair{BadRows::LeaveOut, "leave-out"}};
}

/// All members except `invalid_text` apply to `pairs` files.
struct TextFormat {
  InvalidText invalid_text = InvalidText::Fail;
  Quotes quotes = Quotes::None;  ///< Double: RFC 4180, with TAB instead of the comma (table_row.h)
  bool header = false;           ///< the first line of each file is a header
  BadRows bad_rows = BadRows::Fail;
  bool operator==(const TextFormat&) const = default;
};

/// The options for files of spreadsheets.
void describe_table(TextFormat& o, AnyOptionVisitor auto& visit) {
  visit("quotes", o.quotes,
        "quotes in files of pairs: double reads a field in \"double quotes\" without them, and two quotes inside it as "
        "one, as spreadsheets write them; none: quotes are text");
  visit("header", o.header, "the first line of each file of pairs names the columns: leave it out");
}
void describe(TextFormat& o, AnyOptionVisitor auto& visit) {
  visit("invalid-text", o.invalid_text,
        "what to do with a line that is not UTF-8: stop, or replace the bad bytes by U+FFFD");
  describe_table(o, visit);
  visit("bad-rows", o.bad_rows,
        "what to do with a line of pairs that has the wrong columns, a wrong weight or wrong quotes: stop, or leave it "
        "out");
}

/// Throws ConfigError if an option for files of pairs is set but there are none. `prefix` precedes the option's name.
void validate(const TextFormat& format, bool has_pairs, const std::string& prefix);

}  // namespace heed::data
