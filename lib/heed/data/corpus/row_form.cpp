#include "heed/data/corpus/row_form.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heed/core/error.h"
#include "heed/core/files/line_reader.h"
#include "heed/core/text/shell_word.h"
#include "heed/data/corpus/table_row.h"

namespace heed::data {
namespace {

constexpr int64_t kRows = 100;

/// What the rows that were read have in common.
struct CommonForm {
  int64_t rows = 0;
  size_t columns = 0;                          // 0: the rows have different numbers of columns
  std::vector<int64_t> bytes = {};             // of each column, all rows together
  int64_t weights = 0;                         // rows whose third column is a weight
  int64_t with_comma = 0, with_semicolon = 0;  // rows with the character

  void add(std::string_view row, const std::vector<std::string_view>& fields) {
    columns = rows == 0 || columns == fields.size() ? fields.size() : 0;
    ++rows;
    bytes.resize(std::max(bytes.size(), fields.size()));
    for (size_t i = 0; i < fields.size(); ++i) bytes[i] += std::ssize(fields[i]);
    weights += fields.size() > 2 && parse_weight(fields[2]) ? 1 : 0;
    with_comma += row.find(',') != row.npos ? 1 : 0;
    with_semicolon += row.find(';') != row.npos ? 1 : 0;
  }
};

CommonForm common_form(const std::string& path, const TextFormat& format) {
  CommonForm form;
  LineReader reader(path, InvalidText::Replace);
  std::vector<std::string_view> fields;
  for (std::string line; form.rows < kRows && reader.next(line);) {
    if (format.header && reader.line_number() == 1) continue;
    split_fields(line, format.quotes, fields);
    form.add(line, fields);
  }
  return form;
}

bool is_compressed(const std::string& name) { return name.ends_with(".gz"); }

/// "`zcat all.tsv.gz | cut -f3,4 > pairs.tsv`". first, second: columns counted from 0.
std::string cut_command(const std::string& name, size_t first, size_t second) {
  const std::string columns = fmt::format("cut -f{},{}", first + 1, second + 1);
  if (is_compressed(name)) return fmt::format("`zcat {} | {} > pairs.tsv`", shell_path(name), columns);
  return fmt::format("`{} {} > pairs.tsv`", columns, shell_path(name));
}

std::string csv_command(const std::string& name, bool semicolons) {
  return fmt::format(
      "`{} {} | python3 -c \"import csv, sys; [print('\\t'.join(' '.join(field.split()) for field in "
      "row)) for row in csv.reader(sys.stdin{})]\" > pairs.tsv`",
      is_compressed(name) ? "zcat" : "cat", shell_path(name), semicolons ? ", delimiter=';'" : "");
}

/// "`cut -f3,4 all.tsv > pairs.tsv` keeps the two with the most text".
std::string cut_longest(const std::string& name, const std::vector<int64_t>& bytes) {
  size_t longest = 0, second = 1;
  for (size_t i = 1; i < bytes.size(); ++i) {
    if (bytes[i] > bytes[longest]) {
      second = longest;
      longest = i;
    } else if (second == longest || bytes[i] > bytes[second]) {
      second = i;
    }
  }
  return cut_command(name, std::min(longest, second), std::max(longest, second)) + " keeps the two with the most text";
}

std::string advice(const CommonForm& form, const std::string& name, bool weighted) {
  if (form.rows < 2 || form.columns == 0) return {};
  if (form.columns == 1) {
    const bool commas = form.with_comma == form.rows, semicolons = form.with_semicolon == form.rows;
    if (!commas && !semicolons) {
      return ", and no tab in the rows after it; `--source` and `--target` read one file per side";
    }
    return fmt::format(", but {} in each row, as in a CSV file; {} converts it", commas ? "commas" : "semicolons",
                       csv_command(name, !commas));
  }
  if (form.columns == 2) {
    return weighted ? ", and no weights in the rows after it; leave out `--weight-column true`" : "";
  }
  if (form.columns == 3 && weighted) {
    if (form.weights > 0) return {};
    return ", and no weight in the rows after it; leave out `--weight-column true`: " + cut_command(name, 0, 1) +
           " keeps the two sides";
  }
  std::string text = fmt::format(", as in the rows after it; {}", cut_longest(name, form.bytes));
  if (form.columns == 3 && form.weights == form.rows) {
    text += "; `--weight-column true` reads the third column of the training pairs as weights";
  }
  return text;
}

}  // namespace

std::string advice_on_rows(const std::string& path, const std::string& name, const TextFormat& format, bool weighted) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  return advice(common_form(path, format), name, weighted);
}

}  // namespace heed::data
