#include "heed/curation/files/pair_input.h"

#include <charconv>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/text/counted.h"
#include "heed/core/text/unicode.h"
#include "heed/curation/files/po.h"
#include "heed/curation/files/text_lines.h"
#include "heed/curation/files/tmx.h"
#include "heed/curation/files/xliff.h"
#include "heed/data/corpus/table_row.h"

namespace heed::curation {
namespace {

/// Two texts whose N-th lines belong together.
class MosesInput : public PairInput {
 public:
  explicit MosesInput(const CorpusText& corpus)
      : files_(corpus.files), source_(files_.source, files_), target_(files_.target, files_) {}

  bool next(Pair& pair) override {
    const bool has_source = source_.next(pair.source);
    const bool has_target = target_.next(pair.target);
    if (has_source != has_target) refuse(has_source ? source_ : target_, has_source ? pair.source : pair.target);
    pair.line = target_.lines();
    pair.document.clear();
    pair.ill_formed = has_source && (source_.ill_formed() || target_.ill_formed());
    return has_source;
  }

 private:
  /// Reads the longer side to its end, so that the message has both numbers of lines.
  [[noreturn]] void refuse(TextLines& longer, std::string& line) {
    while (longer.next(line)) {}
    const auto has = [&](const std::vector<std::string>& paths, int64_t lines) {
      return fmt::format("{}{} {} {}", data::name_of(paths[0], files_), paths.size() > 1 ? " and its other files" : "",
                         paths.size() > 1 ? "have" : "has", counted(lines, "line"));
    };
    throw InputError(has(files_.source, source_.lines()) + ", " + has(files_.target, target_.lines()) +
                     ": line N of the one must belong to line N of the other");
  }

  data::CorpusFiles files_;
  TextLines source_, target_;
};

/// Reads a number of a column from 1; absent if `field` is not a number.
std::optional<size_t> column_number(const std::string& field) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size() || number == 0) return std::nullopt;
  return number;
}

class TsvInput : public PairInput {
 public:
  explicit TsvInput(const CorpusText& corpus, std::vector<std::string> paths)
      : corpus_(corpus),
        lines_(std::move(paths), corpus.files),
        fields_(corpus.source_field, corpus.target_field, corpus.document_field) {}

  bool next(Pair& pair) override {
    std::string line;
    do {
      if (!lines_.next(line)) return false;
    } while (lines_.is_first() && takes_header(line));
    std::vector<std::string_view> columns;
    data::split_fields(line, data::Quotes::None, columns);
    if (fields_.only_two && columns.size() != 2) refuse_columns(columns.size());
    pair.source = column(columns, fields_.source, "source-field");
    pair.target = column(columns, fields_.target, "target-field");
    pair.document = fields_.document == 0 ? std::string_view() : column(columns, fields_.document, "document-field");
    pair.line = lines_.lines();
    pair.ill_formed = lines_.ill_formed();
    return true;
  }

 private:
  struct Fields {
    size_t source = 0, target = 0, document = 0;
    bool named = false;
    bool only_two = false;
    Fields(const std::string& source_name, const std::string& target_name, const std::string& document_name)
        : source(source_name.empty() ? 1 : column_number(source_name).value_or(0)),
          target(target_name.empty() ? 2 : column_number(target_name).value_or(0)),
          document(column_number(document_name).value_or(0)),
          named(source == 0 || target == 0 || (document == 0 && !document_name.empty())),
          only_two(source_name.empty() && target_name.empty() && document_name.empty()) {}
  };

  /// Finds the columns by their names in the first line of a file. Returns whether that line is a header.
  bool takes_header(const std::string& line) {
    if (!fields_.named) return false;
    std::vector<std::string_view> names;
    data::split_fields(line, data::Quotes::None, names);
    const auto find = [&](const std::string& field, const char* option) -> size_t {
      if (field.empty()) return 0;
      if (const auto number = column_number(field)) return *number;
      for (size_t i = 0; i < names.size(); ++i) {
        if (strip(names[i]) == field) return i + 1;
      }
      throw InputError(lines_.name(), 1,
                       fmt::format("`--{}` is {}, but no column of the header has that name", option, field));
    };
    fields_.source = find(corpus_.source_field.empty() ? "1" : corpus_.source_field, "source-field");
    fields_.target = find(corpus_.target_field.empty() ? "2" : corpus_.target_field, "target-field");
    fields_.document = find(corpus_.document_field, "document-field");
    return true;
  }

  /// option: the one that chose the column.
  std::string_view column(const std::vector<std::string_view>& columns, size_t number, const char* option) const {
    if (number <= columns.size()) return columns[number - 1];
    throw InputError(lines_.name(), lines_.line_in_file(),
                     fmt::format("expected column {} (`--{}`), found only {}", number, option,
                                 counted(std::ssize(columns), "column")));
  }

  [[noreturn]] void refuse_columns(size_t found) const {
    throw InputError(lines_.name(), lines_.line_in_file(),
                     fmt::format("expected two columns, source TAB target, found {}{}", found,
                                 found > 2 ? ": `--source-field` and `--target-field` choose columns" : ""));
  }

  CorpusText corpus_;
  TextLines lines_;
  Fields fields_;
};

class JsonLinesInput : public PairInput {
 public:
  JsonLinesInput(const CorpusText& corpus, std::vector<std::string> paths)
      : source_(corpus.source_field.empty() ? "source" : corpus.source_field),
        target_(corpus.target_field.empty() ? "target" : corpus.target_field),
        document_(corpus.document_field),
        lines_(std::move(paths), corpus.files) {}

  bool next(Pair& pair) override {
    std::string line;
    if (!lines_.next(line)) return false;
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) refuse("expected a JSON object");
    pair.source = text_of(object, source_, "source-field");
    pair.target = text_of(object, target_, "target-field");
    pair.document = document_.empty() ? "" : text_of(object, document_, "document-field");
    pair.line = lines_.lines();
    pair.ill_formed = lines_.ill_formed();
    return true;
  }

 private:
  std::string text_of(const nlohmann::json& object, const std::string& field, const char* option) const {
    const nlohmann::json* value = &object;
    for (size_t begin = 0; begin <= field.size();) {
      const size_t dot = std::min(field.find('.', begin), field.size());
      const auto found = value->is_object() ? value->find(field.substr(begin, dot - begin)) : value->end();
      if (!value->is_object() || found == value->end()) {
        refuse(fmt::format("expected an object with the member `{}`, whose name `--{}` sets", field, option));
      }
      value = &*found;
      begin = dot + 1;
    }
    if (!value->is_string()) refuse(fmt::format("expected text as `{}`, found {}", field, value->type_name()));
    return value->get<std::string>();
  }
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError(lines_.name(), lines_.line_in_file(), message);
  }

  std::string source_, target_, document_;
  TextLines lines_;
};

/// Files of pairs of different formats, one after the other.
class PairFiles : public PairInput {
 public:
  explicit PairFiles(const CorpusText& corpus) : corpus_(corpus) { open(); }

  bool next(Pair& pair) override {
    while (file_) {
      if (file_->next(pair)) {
        pair.line += before_;
        last_ = pair.line;
        return true;
      }
      open();
    }
    return false;
  }

 private:
  void open() {
    file_.reset();
    before_ = last_;
    if (opened_ == corpus_.files.pairs.size()) return;
    const std::string& path = corpus_.files.pairs[opened_++];
    const PairFormat format = corpus_.format.value_or(format_of_name(data::name_of(path, corpus_.files)));
    switch (format) {
      case PairFormat::Tsv:
        file_ = std::make_unique<TsvInput>(corpus_, std::vector{path});
        break;
      case PairFormat::JsonLines:
        file_ = std::make_unique<JsonLinesInput>(corpus_, std::vector{path});
        break;
      case PairFormat::Tmx:
        file_ = open_tmx(corpus_, path);
        break;
      case PairFormat::Xliff:
        file_ = open_xliff(corpus_, path);
        break;
      case PairFormat::Po:
        file_ = open_po(corpus_, path);
        break;
    }
  }

  CorpusText corpus_;
  size_t opened_ = 0;
  int64_t before_ = 0, last_ = 0;  // lines of the earlier files
  std::unique_ptr<PairInput> file_;
};

}  // namespace

std::unique_ptr<PairInput> open_pairs(const CorpusText& corpus) {
  validate(corpus);
  if (!corpus.files.pairs.empty()) return std::make_unique<PairFiles>(corpus);
  return std::make_unique<MosesInput>(corpus);
}

}  // namespace heed::curation
