#include "heed/curation/removed_lines.h"

#include <nlohmann/json.hpp>

#include "heed/core/error.h"

namespace heed::curation {

using LogJson = nlohmann::ordered_json;

std::string removed_line(const JudgedPair& pair, FilterSet reasons) {
  LogJson json{{"line", pair.pair.line}};
  if (pair.number != pair.pair.line) json["pair"] = pair.number;
  json["reasons"] = reasons.names();
  if (pair.repeated && (reasons.contains(Filter::Duplicate) || reasons.contains(Filter::NearDuplicate))) {
    json["repeats"] = *pair.repeated;
  }
  if (reasons.contains(Filter::Leak)) {
    json["is_in"] = pair.held_out;
    json["is_in_line"] = pair.held_out_line;
  }
  json["source"] = pair.pair.source;
  json["target"] = pair.pair.target;
  if (!pair.pair.document.empty()) json["document"] = pair.pair.document;
  return json.dump(-1, ' ', false, LogJson::error_handler_t::replace) + '\n';
}

std::optional<RemovedLine> RemovedLines::next() {
  std::string line;
  if (!reader_.next(line)) return std::nullopt;
  RemovedLine removed;
  try {
    const LogJson json = LogJson::parse(line);
    removed.number = json.at(json.contains("pair") ? "pair" : "line").get<int64_t>();
    removed.pair.source = json.at("source").get<std::string>();
    removed.pair.target = json.at("target").get<std::string>();
    if (json.contains("document")) removed.pair.document = json.at("document").get<std::string>();
    for (const auto& name : json.at("reasons")) {
      if (const auto filter = enum_value<Filter>(name.get<std::string>())) removed.reasons.add(*filter);
    }
  } catch (const LogJson::exception&) {
    throw InputError(reader_.path(), reader_.line_number(),
                     "expected a line of a log that `heed data filter --log` wrote");
  }
  if (removed.number <= last_)
    throw InputError(reader_.path(), reader_.line_number(), "expected a larger `line` than before");
  last_ = removed.number;
  return removed;
}

}  // namespace heed::curation
