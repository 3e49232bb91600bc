#include "heed/data/corpus/table_row.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace heed::data {
namespace {

constexpr char kQuote = '"';
constexpr char kTab = '\t';

/// The quote that closes the one at `begin`; npos if nothing closes it.
size_t closing_quote(std::string_view row, size_t begin) {
  size_t at = row.find(kQuote, begin + 1);
  while (at != std::string_view::npos && at + 1 < row.size() && row[at + 1] == kQuote) at = row.find(kQuote, at + 2);
  return at;
}

}  // namespace

std::string split_fields(std::string_view row, Quotes quotes, std::vector<std::string_view>& fields) {
  fields.clear();
  for (size_t begin = 0;;) {
    size_t end = std::min(row.find(kTab, begin), row.size());
    const size_t column = fields.size() + 1;
    if (quotes == Quotes::Double && begin < row.size() && row[begin] == kQuote) {
      const size_t close = closing_quote(row, begin);
      if (close == std::string_view::npos) {
        return fmt::format("with `quotes double` column {} must end with its quote on this line", column);
      }
      end = close + 1;
      if (end < row.size() && row[end] != kTab)
        return fmt::format("with `quotes double` column {} must end at its closing quote", column);
    } else if (quotes == Quotes::Double && row.substr(begin, end - begin).find(kQuote) != std::string_view::npos) {
      return fmt::format("with `quotes double` column {}, which has a quote, must begin with one", column);
    }
    fields.push_back(row.substr(begin, end - begin));
    if (end == row.size()) return {};
    begin = end + 1;
  }
}

bool is_quoted(std::string_view field) {
  return field.size() >= 2 && field.front() == kQuote && closing_quote(field, 0) == field.size() - 1;
}

void unquote(std::string_view field, Quotes quotes, std::string& text) {
  if (quotes == Quotes::None || field.empty() || field.front() != kQuote) {
    text.assign(field);
    return;
  }
  text.clear();
  const std::string_view inner = field.substr(1, field.size() - 2);
  for (size_t begin = 0; begin < inner.size();) {
    const size_t quote = std::min(inner.find(kQuote, begin), inner.size() - 1);
    text.append(inner, begin, quote + 1 - begin);
    begin = quote + (inner[quote] == kQuote ? 2 : 1);
  }
}

std::optional<float> parse_weight(std::string_view text) {
  float weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(weight) || weight < 0) return {};
  return weight;
}

std::string no_weight(std::string_view text) {
  constexpr size_t kShown = 40;
  return fmt::format("expected a weight, a number of at least 0, found `{}`", text.substr(0, kShown));
}

}  // namespace heed::data
