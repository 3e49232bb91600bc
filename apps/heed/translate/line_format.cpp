#include "translate/line_format.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "heed/api/translation_json.h"
#include "heed/core/error.h"
#include "heed/core/text/one_line.h"
#include "heed/core/text/unicode.h"
#include "heed/translation/lines/flags.h"
#include "translate/json_object.h"

namespace heed::apps {
namespace {

using Json = nlohmann::ordered_json;
using translation::Translation;

/// The members that heed writes into objects.
constexpr std::array<std::string_view, 9> kWritten{"translation", "score",        "flags",
                                                   "n_best",      "tokens",       "token_log_probabilities",
                                                   "alignment",   "source_words", "target_words"};

InputError other_object(const Input::Place& place, const std::string& found) {
  return {place.path, place.line,
          fmt::format(R"(expected an object with the text to translate, {{"source": "..."}}, found {})", found)};
}

/// The text in the member `source`.
std::string text_of_source(std::string_view value, InvalidText invalid, const Input::Place& place) {
  if (json_type(value) != "string") throw other_object(place, fmt::format("a `source` that is a {}", json_type(value)));
  JsonText source = json_text(value);
  if (!source.half_pair.empty() && invalid == InvalidText::Fail) {
    throw InputError(place.path, place.line,
                     fmt::format("`source` has {}, half of a surrogate pair without the other half; "
                                 "`--invalid-text replace` makes it U+FFFD",
                                 source.half_pair));
  }
  return on_one_line(std::move(source.text));
}

/// The source text of an object. If it has several `source` members, the last one counts, as in most parsers.
std::string source_of(const std::string& line, InvalidText invalid, const Input::Place& place) {
  const auto object = parse_json(line);
  if (!object) throw other_object(place, "what is not JSON: " + line.substr(0, 80));
  if (object->type != "object") throw other_object(place, fmt::format("a JSON {}", object->type));
  const JsonMember* source = nullptr;
  for (const JsonMember& member : object->members) {
    if (member.name == "source") source = &member;
    if (std::ranges::find(kWritten, member.name) == kWritten.end()) continue;
    throw InputError(
        place.path, place.line,
        fmt::format("the object has a field `{}` already, which a translation is written to", member.name));
  }
  if (source == nullptr) throw other_object(place, "one without `source`");
  return text_of_source(source->value, invalid, place);
}

std::string flags_text(const Translation& translation) {
  std::vector<std::string_view> names;
  for (const auto flag : flags_of(translation)) names.push_back(name_of(flag));
  return fmt::format("{}", fmt::join(names, ","));
}

std::string without_tabs(std::string text) {
  std::ranges::replace(text, '\t', ' ');
  return text;
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The beginning of a record: the given object, byte for byte.
std::string begin_of_object(std::string_view given) {
  if (given.empty()) return "{";
  return fmt::format("{}, ", strip_right(given.substr(0, given.rfind('}'))));
}

std::string begin_of_columns(const InputLine& line) { return line.source.has_item_alone() ? "" : line.given + '\t'; }

bool is_blank(const InputLine& line) {
  return !line.source.has_item_alone() && strip(line.given.empty() ? line.source.text : line.given).empty();
}

}  // namespace

void describe(LineFormat& o, OptionVisitor& visit) {
  visit("json-tokens", o.tokens, "json: write the tokens of the translation and their log-probabilities");
  visit("json-alignment", o.alignment, "json: write which words of the source and the translation belong together");
}

void check_format(const LineFormat& format) {
  if (format.form == LineForm::Json) return;
  if (format.tokens) throw ConfigError("--json-tokens", "goes with `--format json`");
  if (format.alignment) throw ConfigError("--json-alignment", "goes with `--format json`");
}

void parse_line(const LineFormat& format, InvalidText invalid, InputLine& line, const Input::Place& place) {
  if (format.form == LineForm::Text) return;
  line.given = line.source.text;
  if (format.form == LineForm::Tsv) {
    line.source.text = line.given.substr(0, line.given.find('\t'));
  } else if (!strip(line.given).empty()) {
    line.source.text = source_of(line.given, invalid, place);
  }
}

bool may_be_record(const LineFormat& format, const InputLine& line, std::string_view record) {
  switch (format.form) {
    case LineForm::Text:
      return !is_blank(line) || record.empty();
    case LineForm::Tsv:
      return record.starts_with(begin_of_columns(line));
    case LineForm::Json:
      return is_blank(line) ? record.empty() : record.starts_with(begin_of_object(line.given));
  }
  throw std::logic_error("no such form of lines");
}

Input::Look form_check(const LineFormat& format, InvalidText invalid) {
  if (format.form != LineForm::Json) return {};
  return [format, invalid](const std::string& text, const Input::Place& place) {
    InputLine line{.source = {.text = text}};
    parse_line(format, invalid, line, place);
  };
}

std::string LineWriter::record(const TranslatedLine& line, int64_t number) const {
  switch (format_.form) {
    case LineForm::Text:
      return line.keeps_target ? line.input.target + '\n' : text(line.translation, number);
    case LineForm::Tsv:
      return columns(line);
    case LineForm::Json:
      return object(line);
  }
  throw std::logic_error("no such form of lines");
}

std::string LineWriter::text(const Translation& best, int64_t number) const {
  if (!list_) return best.text + '\n';
  std::string text;
  const auto add = [&](const Translation& one) {
    text += fmt::format("{} ||| {} ||| {:.6f}\n", number, one.text, one.score);
  };
  add(best);
  std::ranges::for_each(best.others, add);
  return text;
}

std::string LineWriter::columns(const TranslatedLine& line) const {
  std::string text;
  const auto add = [&](const Translation& one) {
    text += fmt::format("{}{}\t{:.6f}\t{}\n", begin_of_columns(line.input), without_tabs(one.text), one.score,
                        flags_text(one));
  };
  add(line.translation);
  if (list_) std::ranges::for_each(line.translation.others, add);
  return text;
}

std::string LineWriter::object(const TranslatedLine& line) const {
  if (is_blank(line.input)) return "\n";  // a blank line for a blank line
  const api::JsonContents contents{.tokens = format_.tokens, .alignment = format_.alignment};
  Json added;
  api::add_translation(added, line.translation, contents, *target_);
  if (list_) {
    Json& list = added["n_best"] = Json::array();
    const auto add = [&](const Translation& one) {
      api::add_translation(list.emplace_back(Json::object()), one, contents, *target_);
    };
    add(line.translation);
    std::ranges::for_each(line.translation.others, add);
  }
  return begin_of_object(line.input.given) + dumped(added).substr(1) + '\n';
}

}  // namespace heed::apps
