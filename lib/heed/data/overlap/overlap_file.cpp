#include <nlohmann/json.hpp>

#include "heed/core/error.h"
#include "heed/core/files/atomic_file.h"
#include "heed/core/text/json_nesting.h"
#include "heed/data/overlap/text_overlap.h"

namespace heed::data {
namespace {

using Json = nlohmann::ordered_json;

/// Visits the counts with their names. Readers and writers both use it.
template <class Counts, class Visit>
void each(Counts& counts, Visit visit) {
  visit("pairs", counts.pairs);
  visit("leaking", counts.leaking);
  visit("valid_pairs", counts.valid_pairs);
  visit("valid_found", counts.valid_found);
  visit("valid_sources_found", counts.valid_sources_found);
  visit("duplicate_examples", counts.duplicate_examples);
  visit("leaking_examples", counts.leaking_examples);
}

}  // namespace

void write_overlap(const std::string& path, const std::string& key, const OverlapCounts& counts) {
  check(counts.duplicates.has_value(), "counts that are written are whole");
  Json json{{"texts", key}, {"duplicates", *counts.duplicates}};
  each(counts, [&](const char* name, const auto& value) { json[name] = value; });
  // Names of files may be invalid UTF-8.
  write_file(path, json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
}

std::optional<OverlapCounts> read_overlap(const std::string& path, const std::string& key) {
  try {
    const std::string text = read_file(path);
    if (is_nested_deeper(text)) return {};
    const Json json = Json::parse(text);
    if (json.at("texts") != key) return {};
    OverlapCounts counts{.duplicates = json.at("duplicates").get<int64_t>()};
    each(counts, [&](const char* name, auto& value) { json.at(name).get_to(value); });
    return counts;
  } catch (const FileError&) {
    return {};  // not written yet
  } catch (const Json::exception&) {
    return {};  // damaged: the texts are compared again
  }
}

}  // namespace heed::data
