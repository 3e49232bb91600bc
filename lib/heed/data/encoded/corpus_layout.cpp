#include "heed/data/encoded/corpus_layout.h"

#include <array>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/text/json_nesting.h"

namespace heed::data {

namespace {

/// The alternatives of text::Target, in their order.
constexpr std::array kTargetTypes{"text", "class", "word-labels", "numbers"};
static_assert(std::variant_size_v<text::Target> == kTargetTypes.size());

/// An empty target of the type with this name.
text::Target target_named(const std::string& name) {
  const std::array<text::Target, kTargetTypes.size()> types{text::Ids{}, text::ClassLabel{}, text::WordLabels{},
                                                            text::Numbers{}};
  for (const text::Target& type : types) {
    if (name == kTargetTypes[type.index()]) return type;
  }
  throw Error(fmt::format("has a target of `{}`, which this program does not know", name));
}

nlohmann::json options_json(const CorpusOptions& options) {
  const PairFilters& filters = options.filters;
  return {{"max_source_length", options.max_source_length},
          {"max_target_length", options.max_target_length},
          {"replace_invalid_text", options.format.invalid_text == InvalidText::Replace},
          {"double_quotes", options.format.quotes == Quotes::Double},
          {"header", options.format.header},
          {"bad_rows_left_out", options.format.bad_rows == BadRows::LeaveOut},
          {"max_length_ratio", filters.max_length_ratio.value_or(0)},
          {"identical_sides_left_out", filters.identical_sides == FilterAction::LeaveOut},
          {"duplicates_left_out", filters.duplicates == FilterAction::LeaveOut},
          {"leaking_left_out", filters.leaking == FilterAction::LeaveOut},
          {"source_script", filters.source_script},
          {"target_script", filters.target_script}};
}

PairFilters filters_of(const nlohmann::json& json) {
  PairFilters filters{.source_script = json.at("source_script"), .target_script = json.at("target_script")};
  if (const double ratio = json.at("max_length_ratio"); ratio > 0) filters.max_length_ratio = ratio;
  if (json.at("identical_sides_left_out")) filters.identical_sides = FilterAction::LeaveOut;
  if (json.at("duplicates_left_out")) filters.duplicates = FilterAction::LeaveOut;
  if (json.at("leaking_left_out")) filters.leaking = FilterAction::LeaveOut;
  return filters;
}

TextFormat format_of(const nlohmann::json& json) {
  return {.invalid_text = json.at("replace_invalid_text") ? InvalidText::Replace : InvalidText::Fail,
          .quotes = json.at("double_quotes") ? Quotes::Double : Quotes::None,
          .header = json.at("header"),
          .bad_rows = json.at("bad_rows_left_out") ? BadRows::LeaveOut : BadRows::Fail};
}

CorpusOptions options_of(const nlohmann::json& json) {
  return {.max_source_length = json.at("max_source_length"),
          .max_target_length = json.at("max_target_length"),
          .format = format_of(json),
          .filters = filters_of(json)};
}

nlohmann::json storage_json(const CorpusStorage& storage) {
  return {{"buckets", storage.buckets}, {"id_bytes", storage.wide_ids ? 4 : 2}};
}

CorpusStorage storage_of(const nlohmann::json& json) {
  return {.buckets = json.at("buckets"), .wide_ids = json.at("id_bytes") == 4};
}

/// The JSON members that index and shards have in common.
nlohmann::json common_json(const CorpusForm& form, const std::string& tokenizers, const CorpusOptions& options,
                           const CorpusStorage& storage, const CorpusSummary& summary) {
  nlohmann::json json = {{"format", form.has_alignments ? kFormatWithAlignments : kCorpusFormat},
                         {"has_source", form.has_source},
                         {"target", kTargetTypes[form.target.index()]},
                         {"has_weights", form.has_weights},
                         {"tokenizers", tokenizers}};
  json.update(options_json(options));
  json.update(storage_json(storage));
  each_count(summary, [&json](const char* name, int64_t count) { json[name] = count; });
  return json;
}

/// Upgrades a corpus of format 3 to format 4: adds the options and counts that format 3 did not have.
void add_newer(nlohmann::json& json) {
  for (const char* option :
       {"double_quotes", "header", "bad_rows_left_out", "duplicates_left_out", "leaking_left_out"}) {
    json[option] = false;
  }
  for (const char* count : {"bad_rows", "duplicates", "leaking"}) json[count] = 0;
  json["left_out"] = "";
}

nlohmann::json parsed(const std::string& text) {
  if (is_nested_deeper(text)) throw Error("is damaged: its description " + nested_too_deep());
  nlohmann::json json = nlohmann::json::parse(text);
  const int64_t format = json.at("format");
  constexpr int64_t kOlder = 3;
  if (format == kOlder)
    add_newer(json);
  else if (format != kCorpusFormat && format != kFormatWithAlignments)
    throw Error(fmt::format("has format {}, this program reads format {}", format, kCorpusFormat));
  return json;
}

CorpusForm form_of(const nlohmann::json& json) {
  return {.has_source = json.at("has_source"),
          .target = target_named(json.at("target")),
          .has_weights = json.at("has_weights"),
          .has_alignments = json.at("format") == kFormatWithAlignments};
}

CorpusSummary summary_of(const nlohmann::json& json) {
  CorpusSummary summary;
  each_count(summary, [&json](const char* name, int64_t& count) { count = json.at(name); });
  return summary;
}

std::string written(const nlohmann::json& json) {
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string shard_path(const std::string& corpus, int64_t shard) { return fmt::format("{}.{}", corpus, shard); }

std::string to_json(const CorpusIndex& index) {
  const CorpusOrigin& origin = index.origin;
  nlohmann::json json = common_json(index.form, origin.tokenizers, origin.options, index.storage, index.summary);
  json["left_out"] = origin.left_out;
  json["shards"] = index.shards;
  json["files"] = nlohmann::json::array();
  for (const CorpusFile& file : origin.files) {
    json["files"].push_back({{"side", file.side},
                             {"path", file.path},
                             {"size", file.size},
                             {"modified", file.modified},
                             {"lines", file.lines},
                             {"kept", file.kept},
                             {"sha256", file.sha256}});
  }
  return written(json);
}

CorpusIndex index_from_json(const std::string& text) {
  const nlohmann::json json = parsed(text);
  CorpusIndex index;
  index.summary = summary_of(json);
  index.origin.tokenizers = json.at("tokenizers");
  index.origin.options = options_of(json);
  index.origin.left_out = json.at("left_out");
  index.form = form_of(json);
  index.storage = storage_of(json);
  index.shards = json.at("shards");
  for (const auto& file : json.at("files")) {
    index.origin.files.push_back({.side = file.at("side"),
                                  .path = file.at("path"),
                                  .size = file.at("size"),
                                  .modified = file.at("modified"),
                                  .lines = file.at("lines"),
                                  .kept = file.at("kept"),
                                  .sha256 = file.at("sha256")});
  }
  return index;
}

std::string to_json(const ShardOrigin& origin, const CorpusSummary& summary) {
  nlohmann::json json = common_json(origin.form, origin.tokenizers, origin.options, origin.storage, summary);
  json["left_out"] = origin.left_out;
  json["first_line"] = origin.first_line;
  json["lines"] = origin.lines;
  json["text"] = origin.text;
  return written(json);
}

void shard_from_json(const std::string& text, ShardOrigin& origin, CorpusSummary& summary) {
  const nlohmann::json json = parsed(text);
  origin = {.tokenizers = json.at("tokenizers"),
            .options = options_of(json),
            .form = form_of(json),
            .storage = storage_of(json),
            .left_out = json.at("left_out"),
            .first_line = json.at("first_line"),
            .lines = json.at("lines"),
            .text = json.at("text")};
  summary = summary_of(json);
}

}  // namespace heed::data
