#include <nlohmann/json.hpp>

#include "heed/curation/report/data_report.h"

namespace heed::curation {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const SideTotals& side) {
  return {{"words", side.words},
          {"characters", side.characters},
          {"longest", {{"line", side.most_words_line}, {"words", side.most_words}}},
          {"lines_of_several_sentences", side.several_sentences}};
}

Json json_of(const Histogram& histogram) {
  return {{"begin", histogram.begin}, {"step", histogram.step}, {"counts", histogram.counts}};
}

Json json_of(const Finding& finding, Filter filter) {
  Json examples = Json::array();
  for (const Example& example : finding.examples) {
    Json entry{{"line", example.line}, {"source", example.source}, {"target", example.target}};
    if (!example.note.empty()) entry["note"] = example.note;
    examples.push_back(std::move(entry));
  }
  return {{"finds", description_of(filter)},  {"default", kDefaultFilters.contains(filter)}, {"pairs", finding.pairs},
          {"only_this_filter", finding.only}, {"by_position", finding.by_position},          {"examples", examples}};
}

}  // namespace

std::string json_report(const DataReport& report) {
  Json filters = Json::object();
  for (const auto& [filter, name] : option_names(Filter{}))
    filters[std::string(name)] = json_of(report.of(filter), filter);
  Json overlaps = Json::array();
  for (const OverlapTotals& overlap : report.overlaps) {
    overlaps.push_back({{"text", overlap.name},
                        {"pairs", overlap.pairs},
                        {"equal", overlap.equal},
                        {"near", overlap.near},
                        {"source_only", overlap.source_only}});
  }
  Json shifts = Json::array();
  for (const LineShift& shift : report.shifts()) shifts.push_back({{"line", shift.line}, {"offset", shift.offset}});
  const Json json{{"files", report.names},
                  {"pairs", report.pairs},
                  {"learned_from", report.learned_pairs},
                  {"source", json_of(report.source)},
                  {"target", json_of(report.target)},
                  {"length_ratio", report.length_ratio},
                  {"removed_by_default", report.removed},
                  {"equal_sides", report.equal},
                  {"shifts", shifts},
                  {"overlaps", overlaps},
                  {"filters", filters},
                  {"histograms",
                   {{"source_words", json_of(report.source_words)},
                    {"target_words", json_of(report.target_words)},
                    {"log_length_ratio", json_of(report.ratio)},
                    {"alignment_probability", json_of(report.alignment)},
                    {"source_language", json_of(report.source_language)},
                    {"target_language", json_of(report.target_language)}}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heed::curation
