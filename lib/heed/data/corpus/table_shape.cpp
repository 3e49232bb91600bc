#include "heed/data/corpus/table_shape.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/uloc.h>

#include "heed/core/log.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/shell_word.h"
#include "heed/core/text/unicode.h"
#include "heed/data/corpus/table_row.h"

namespace heed::data {
namespace {

constexpr auto kSources = std::to_array<std::string_view>({"source", "src", "source text", "source sentence"});
constexpr auto kTargets =
    std::to_array<std::string_view>({"target", "tgt", "trg", "target text", "target sentence", "translation"});

/// The name of a column in lower case, without quotes and outer space, with single spaces between its words.
std::string column_name(std::string_view field) {
  std::string text;
  unquote(field, is_quoted(field) ? Quotes::Double : Quotes::None, text);
  std::string name(strip(text));
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '_' || letter == '-') letter = ' ';
  }
  return name;
}

/// The ISO 639 code of the language that names a column: "de", "deu", "de DE" or "german". Empty: not a language.
std::string language_of(const std::string& name) {
  constexpr int32_t kLongest = 100;
  const std::string_view code = std::string_view(name).substr(0, name.find(' '));
  const bool has_region = code.size() < name.size();
  for (const char* const* language = uloc_getISOLanguages(); *language != nullptr; ++language) {
    const bool is_code = code == *language || code == uloc_getISO3Language(*language);
    const size_t region = name.size() - code.size();  // with its space
    if (is_code && (!has_region || region == 3)) return *language;
    std::array<UChar, kLongest> display{};
    UErrorCode error = U_ZERO_ERROR;
    const int32_t length = uloc_getDisplayLanguage(*language, "en", display.data(), kLongest, &error);
    if (U_FAILURE(error) || length != std::ssize(name)) continue;
    const bool is_name = std::equal(name.begin(), name.end(), display.begin(), [](char letter, UChar shown) {
      const bool is_capital = shown >= u'A' && shown <= u'Z';
      return static_cast<UChar>(letter) == (is_capital ? shown - u'A' + u'a' : shown);
    });
    if (is_name) return *language;
  }
  return {};
}

bool is_listed(std::span<const std::string_view> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// "`en TAB de`".
std::string shown_row(std::span<const std::string_view> fields) {
  return fmt::format("`{}`", fmt::join(fields, " TAB "));
}

}  // namespace

std::string Examples::text() const {
  return fmt::format("{}{}", fmt::join(shown_, "; "), count_ > std::ssize(shown_) ? "; ..." : "");
}

bool looks_like_header(std::span<const std::string_view> fields) {
  constexpr size_t kLongest = 40;
  if (fields.size() < 2 || std::max(fields[0].size(), fields[1].size()) > kLongest) return false;
  const std::string first = column_name(fields[0]), second = column_name(fields[1]);
  if (is_listed(kSources, first) && is_listed(kTargets, second)) return true;
  if (is_listed(kTargets, first) && is_listed(kSources, second)) return true;
  const std::string one = language_of(first);
  const std::string other = one.empty() ? "" : language_of(second);
  return !other.empty() && one != other;
}

void TableShape::add(std::span<const std::string_view> fields) {
  ++rows_;
  const int64_t before = quoted_fields_;
  for (const std::string_view field : fields) {
    if (!field.starts_with('"')) continue;
    ++opened_fields_;
    if (!is_quoted(field)) continue;
    ++quoted_fields_;
    doubled_fields_ += field.substr(1, field.size() - 2).find('"') != std::string_view::npos ? 1 : 0;
  }
  quoted_rows_ += quoted_fields_ - before == std::ssize(fields) ? 1 : 0;
}

void TableShape::add_first(std::span<const std::string_view> fields, const std::string& place) {
  if (looks_like_header(fields)) headers_.add(fmt::format("{} {}", place, shown_row(fields)));
}

void TableShape::add_header(const std::string& line, const std::string& place) {
  std::vector<std::string_view> fields;
  split_fields(line, Quotes::None, fields);
  left_out_headers_.add(fmt::format("{} {}", place, shown_row(fields)));
}

bool TableShape::looks_quoted() const {
  constexpr int64_t kSeveral = 3;
  if (2 * quoted_rows_ >= std::max<int64_t>(1, rows_)) return true;
  return doubled_fields_ >= kSeveral && 10 * quoted_fields_ >= 9 * opened_fields_;
}

/// "3 fields are".
std::string TableShape::quoted_fields_are() const {
  return quoted_fields_ == 1 ? "1 field is" : fmt::format("{} fields are", quoted_fields_);
}

void TableShape::log_advice_on_terms(const std::string& file) const {
  if (looks_quoted()) {
    log_warning(
        fmt::format("{}: {} in double quotes, which are read as part of the terms: `tr -d '\"' < {} > terms.tsv` "
                    "removes them",
                    file, quoted_fields_are(), shell_path(file)));
  }
  if (headers_.count() > 0) {
    log_warning(fmt::format("{} looks like a header, but is read as a term: `tail -n +2 {} > terms.tsv` removes it",
                            headers_.text(), shell_path(file)));
  }
}

void TableShape::log_advice(const TextFormat& format, const std::string& prefix, const std::string& files) const {
  if (format.quotes == Quotes::None && looks_quoted()) {
    log_warning(
        fmt::format("{}: {} in double quotes, as spreadsheets write them; the quotes are read as text: "
                    "`--{}quotes double` reads the text in them",
                    files, quoted_fields_are(), prefix));
  }
  if (headers_.count() > 0) {
    log_warning(
        fmt::format("{} looks like a header, but is read as a pair: `--{}header true` leaves out the first line "
                    "of each file of pairs",
                    headers_.text(), prefix));
  }
  if (left_out_headers_.count() > 0) {
    log_info(fmt::format("left out as {}: {}", left_out_headers_.count() == 1 ? "a header" : "headers",
                         left_out_headers_.text()));
  }
  if (bad_rows_.count() > 0) {
    log_warning(fmt::format("{}: left out {}: {}", files, counted(bad_rows_.count(), "bad row"), bad_rows_.text()));
  }
}

}  // namespace heed::data
